import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMisnomers, readRuledOut } from './lib/glossary.ts'
import { root } from './lib/root.mjs'
import { readSources } from './lib/sources.ts'

interface Exception {
  /** The word of the last column. */
  not: string
  /** What it means in these names. */
  because: string
  /** Absent: in every name. */
  names?: string
}

/** Where a word that the glossary rules out for one thing is the right one for another. */
const EXCEPTIONS: readonly Exception[] = [
  { not: 'template', because: 'a text with references, as the domain renders it' },
  { not: 'node', because: 'a part of a tree, and Node.js' },
  { not: 'job', because: 'work in the background' },
  { not: 'check', because: 'a look at whether something holds' },
  { not: 'case', because: 'the API and the tables call one test of a suite so' },
  { not: 'cell', because: 'the API and the tables call one test on one target so' },
  { not: 'occurrence', because: 'the API and the tables call a time of a schedule so' },
  { not: 'grant', because: 'what a token opens for one call, and what OAuth gives' },
  { not: 'capability', because: 'what a model can do' },
  { not: 'export', because: 'a file for elsewhere, be it of prompts, of a suite or of a person' },
  { not: 'choice', because: 'what a person picks from a list' },
  { not: 'place', because: 'where something stands or lies' },
  { not: 'mark', because: 'a sign in a text, a picture or a database' },
  {
    not: 'ceiling',
    because: 'a field of the API, a column and an option',
    names: 'ceilingUsd ceilingNanos ceiling',
  },
  {
    not: 'notification',
    because: 'what NOTIFY of PostgreSQL sends; the page of what one is told of',
    names:
      'notification notifications Notifications NotificationProof onNotification NOTIFICATION sendNotification notificationFields NotificationFields notificationsWith NotificationsPanel',
  },
  {
    not: 'slot',
    because: 'a place that a higher part fills, of a component or a context; a replication slot; a table',
    names: 'slot slots releaseGateSlot ColumnSlots RunnerSlots BACKUP_SLOT usageSlots askedSendsSlot',
  },
  { not: 'module', because: 'of JavaScript', names: 'module modules NodeFsModule openBesideModules' },
  {
    not: 'under way',
    because: 'calls, steps, jobs and copies of this process, which have no state',
    names: 'underWay #underWay isUnderWay countUnderWay findUnderWay UnderWay UNDER_WAY',
  },
  {
    not: 'look',
    because: 'a reading of what may have changed; to look up; how something looks',
    names:
      'look #look LOOK_AGAIN_MS lookAgain LOOK_EACH_MS lookNow LookUp lookUpAllowed LOOKS looksLikeTable',
  },
  { not: 'callback', because: 'of Node and of OAuth', names: 'Callback callback connectDriveCallbackQuery' },
  {
    not: 'placeholder',
    because: 'of an empty input, of a prepared statement, and of what a page gets before it is sent',
    names: 'placeholder variablePlaceholder NONCE_PLACEHOLDER DATA_PLACEHOLDER',
  },
  {
    not: 'tell',
    because: 'to say something to someone, where no process waits for it',
    names:
      'tell tellRowsOf tellCall tellSteps tellProgress tellChanges tellOwner tellRunEnd tellBudget tellEvent tellOfAsk tellRunner',
  },
  {
    not: 'letter',
    because: 'of the alphabet',
    names: 'byLetters LETTERS letter LETTER isLetter letterOf foldLetters',
  },
  {
    not: 'leave',
    because: 'of a person who goes, and of what goes',
    names:
      'leave #leave LEAVES leaveStandbys leaveToDialog leaveTopDialog onLeave useLeaveGuard wouldLeave WouldLeave onWouldLeave ValueWouldLeaveError VALUE_WOULD_LEAVE',
  },
  {
    not: 'bound',
    because: 'the least and the most of a value',
    names:
      'bound bounds Bounds BOUNDS boundsOf BoundsOf ownBound AnswerBounds boundAnswer findDayBounds boundValidation boundText boundList boundRecord exceededBound boundsConflict describeBounds',
  },
  { not: 'sync', because: 'to the disk', names: 'syncFolder syncDirectory' },
  {
    not: 'download',
    because: 'of a browser',
    names: 'downloads countDownload downloadLog downloadText BACKUP_DOWNLOADS_AN_HOUR',
  },
  { not: 'execution', because: 'the API’s word for a run', names: 'executionId EXECUTION EXECUTION_MAX' },
  {
    not: 'masked',
    because: 'a text of which a part is not shown',
    names: 'masked maskedEnd isMasked MaskedSecret',
  },
  { not: 'take over', because: 'of a run whose process is gone', names: 'takesOver' },
  { not: 'sight', because: 'a field of the API', names: 'sight presenceSight RunSight' },
  { not: 'figure', because: 'a number in a text or a query', names: 'figure figures figureOf' },
  {
    not: 'opening',
    because: 'the beginning of a text',
    names: 'opening OPENING_MAX CODE_OPENING SQL_OPENING FENCE_OPENING isOpening',
  },
  { not: 'workflow', because: 'of GitHub', names: 'OF_WORKFLOW' },
]

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const ruledOut = readRuledOut(glossary)
const exceptions = new Map(EXCEPTIONS.map(({ not, names }) => [not, names?.split(' ')]))
const isExcepted = (not: string, name: string): boolean =>
  exceptions.has(not) && (exceptions.get(not)?.includes(name) ?? true)

test('code names things by the words of the glossary', () => {
  const found = findMisnomers(readSources(root), ruledOut)
  const wrong = found.filter(({ not, name }) => !isExcepted(not, name))
  expect(wrong.map(({ file, name, not }) => `${file}: ${name} (not ${not})`)).toEqual([])
  const isNeeded = (not: string, name: string) => found.some((each) => each.not === not && each.name === name)
  const idle = [...exceptions].flatMap(([not, names = []]) => names.filter((name) => !isNeeded(not, name)))
  expect(idle).toEqual([])
}, 240_000)

test('what one row rules out and another one says is no fault', () => {
  const table =
    '| say | for | not |\n|---|---|---|\n| run | one execution | execution, job |\n| job; `step` | work | label |'
  expect(readRuledOut(table)).toEqual(['execution', 'label'])
})

const nameIn = (text: string) =>
  findMisnomers([{ file: 'a.tsx', text, imports: [] }], ['kept value', 'hook', 'workflow']).map(
    ({ name }) => name,
  )

test.each([
  ['function runHook() {}', 'runHook'],
  ['const [hook, b] = [1, 2]', 'hook'],
  ['const HOOKS_MAX = 1', 'HOOKS_MAX'],
  ['let keptValues = 1', 'keptValues'],
  ['let keptRow = { value: 1 }', undefined],
  ['interface Workflow {}', 'Workflow'],
  ['type A = { workflowId: number }', 'workflowId'],
  ['class A {\n  #hook = 1\n}', '#hook'],
  ['const go = (hook: string) => hook', 'hook'],
  ['const { save: saveHook } = before', 'saveHook'],
  ['const { hook } = theirs', undefined],
  ['send({ hook: 1 })', undefined],
  ["import { useHook } from 'theirs'", undefined],
  ['// A hook.\nconst a = `hook`', undefined],
])('%s: %s', (text, name) => {
  expect(nameIn(text)).toEqual(name === undefined ? [] : [name])
})

import type { Page } from 'playwright-core'
import { answers, changes, fails, never } from './network.ts'
import type { State } from './state.ts'
import { button, inTurn, pickInHeader, press, seen, there } from './steps.ts'

const LIST = /^\/api\/(prompts|chains)\/\d+\/test-suites$/
const AT = '2026-11-20T10:00:00.000Z'
const code = {
  path: ['assert', 2],
  reason: 'It runs code, which is not supported here',
  value: 'output.length > 3',
}
const defaults = {
  ...{ values: { brand_voice: 'brand-voice.md' }, threshold: null, notRun: [] },
  assertions: [{ type: 'latency', threshold: 4000 }],
}
const suite = {
  ...{ id: 3, promptId: 1, chainId: null, name: 'Launch mails', caseCount: 5, notRunCount: 2, revision: 4 },
  ...{ createdAt: AT, updatedAt: AT, canEdit: true, defaults },
  imported: [
    { path: ['providers'], reason: 'Targets are chosen when an evaluation starts', value: ['openai:gpt-5'] },
  ],
}
const other = {
  ...suite,
  id: 4,
  name: 'What newcomers ask in their first week, and how we would like it answered',
}
const long = 'people who keep everything that they have ever written in one wiki and never look at it again'
const testCase = (id: number, name: string, fields: object) => ({
  ...{ id, position: id, name, input: '', values: {}, tags: [], assertions: [], threshold: null, notRun: [] },
  ...{ skipsDefaults: false, revision: 2, ...fields },
})
const cases = [
  testCase(11, 'Wiki teams, first-day change', {
    ...{ values: { audience: 'teams who keep prompts in a wiki' }, tags: ['launch'] },
    assertions: [
      { type: 'word-count', value: { max: 140 } },
      { type: 'not-icontains', value: 'delve' },
    ],
  }),
  testCase(12, 'Engineers, terse', {
    ...{ values: { audience: 'engineers who skim' }, tags: ['tone'], threshold: 0.7 },
    assertions: [
      { type: 'word-count', value: { max: 90 }, weight: 2 },
      { type: 'llm-rubric', value: 'Is terse and promises nothing that is not in the notes', threshold: 0.8 },
      {
        ...{ type: 'assert-set', threshold: 0.5 },
        assert: [
          { type: 'contains-any', value: ['changelog', 'release notes'] },
          { type: 'regex', value: '\\bv\\d+\\.\\d+\\b' },
        ],
      },
    ],
  }),
  testCase(13, 'Notes without numbers', {
    ...{ values: { release_notes: '{ "version": "1.0.1" }', audience: long }, tags: ['launch', 'review'] },
    ...{ assertions: [{ type: 'is-json', value: { type: 'object' } }], notRun: [code] },
  }),
  testCase(14, `A test whose name says at length what it is about: ${long}`, {
    assertions: [
      { type: 'equals', value: long },
      { type: 'cost', threshold: 0.02 },
    ],
  }),
  testCase(15, 'Empty release notes', { values: { release_notes: '' } }),
]
const filled = inTurn(
  answers(LIST, [suite, other]),
  answers('/api/test-suites/3', suite),
  answers('/api/test-suites/3/cases', cases),
)
const path = '/prompts/:own/tests'
const shown = seen('Engineers, terse')
const dialog = (name: string) => there((page: Page) => page.getByRole('dialog', { name }))
const savedMeanwhile = {
  ...{ error: 'This test was changed since you opened it' },
  details: testCase(12, 'Engineers, terse', {
    ...{ values: { audience: long }, tags: ['tone', 'review'], revision: 3 },
    assertions: [{ type: 'word-count', value: { max: 120 } }],
  }),
}
const ticketSchema = {
  type: 'object',
  properties: {
    severity: { type: 'string' },
    items: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
  },
}
const fieldCase = testCase(11, 'Halden Marine can’t sign in', {
  assertions: [
    { type: 'equals', value: 'high', path: 'severity' },
    { type: 'contains', value: 'release', path: 'items[0].titel' },
    { type: 'latency', threshold: 4000 },
  ],
})
const report = {
  ...{ name: 'Refunds', caseCount: 12, assertionCount: 30, notRunCount: 3, suite: null },
  notRun: [
    { at: 'providers', reason: 'Targets are chosen when an evaluation starts' },
    { at: 'asks for the order (1): assert.1', reason: 'It runs code, which is not supported here' },
    {
      at: 'defaultTest: options.transform',
      reason: 'Code changes the answer first, which is not supported here',
    },
  ],
}
const pasted = async (page: Page) => {
  await page.getByRole('textbox', { name: 'File' }).fill('tests:\n  - vars: { topic: tea }\n')
}

/** Test suites of prompts and chains. */
export const testStates: readonly State[] = [
  { name: 'tests', who: 'user', path, network: filled, prepare: shown },
  { name: 'tests-empty', who: 'user', path, prepare: seen('No test suites yet') },
  { name: 'tests-chain', who: 'user', path: '/chains/:digest/tests', prepare: seen('No test suites yet') },
  { name: 'tests-loading', who: 'user', path, network: never(LIST) },
  { name: 'tests-error', who: 'user', path, network: fails(LIST), prepare: seen('Try again') },
  {
    name: 'tests-suite-new',
    who: 'user',
    path,
    network: filled,
    prepare: shown,
    opener: button('New Suite'),
  },
  { name: 'tests-case-new', who: 'user', path, network: filled, prepare: shown, opener: button('New Test') },
  {
    name: 'tests-case',
    who: 'user',
    path,
    network: filled,
    prepare: shown,
    opener: button('Engineers, terse'),
  },
  {
    name: 'tests-case-field',
    ...{ who: 'user', path: `${path}?test=11` },
    network: inTurn(
      filled,
      changes(/^\/api\/prompts\/\d+$/, { output: { type: 'json', schema: ticketSchema } }),
      answers('/api/test-suites/3/cases', [fieldCase]),
    ),
    prepare: inTurn(dialog('Edit test'), seen('items[0] has no field titel.')),
  },
  {
    name: 'tests-case-conflict',
    ...{ who: 'user', path },
    network: inTurn(filled, answers('/api/test-suites/3/cases/12', savedMeanwhile, 409)),
    prepare: inTurn(
      shown,
      press('Engineers, terse'),
      press(/^Save Changes/),
      there((page) => page.getByRole('alert', { name: 'Conflicting changes' })),
    ),
  },
  {
    name: 'tests-case-not-run',
    ...{ who: 'user', path, network: filled, prepare: shown, opener: button('Notes without numbers') },
  },
  {
    name: 'tests-kinds',
    ...{ who: 'user', path: `${path}?test=new`, network: filled },
    prepare: dialog('New test'),
    opener: button('Add assertion'),
  },
  {
    name: 'tests-save',
    ...{ who: 'admin', path: '/execute/:prompt', only: 'desk' },
    prepare: inTurn(
      press(/^Execute(?! with AI)/),
      seen('Done'),
      pickInHeader('Save as test'),
      there((page) => page.getByRole('dialog', { name: 'Save as test' })),
    ),
  },
  { name: 'tests-import', who: 'user', path, network: filled, prepare: shown, opener: button('Import') },
  {
    name: 'tests-import-report',
    ...{ who: 'user', path },
    network: inTurn(filled, answers(/\/test-suites\/import$/, report)),
    prepare: inTurn(
      shown,
      press('Import'),
      pasted,
      press(/^Check File/),
      seen('asks for the order (1): assert.1'),
    ),
  },
]

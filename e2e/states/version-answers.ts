import type {
  GateState,
  LabelDependants,
  LabelMove,
  PromptVersion,
  VersionLabels,
  VersionMetrics,
  VersionTests,
} from '../../packages/contracts/src/index.ts'

const HOUR_MS = 3_600_000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()

const TEXTS = [
  'Write a launch email for $<product>\nto $<audience>.\nSay what is new, then three\nfacts.',
  'Write a launch email for $<product>\nto $<audience>.\nSay what is new, then three\nfacts, not five.',
  'Write a launch email for $<product>\nto $<audience>.\nSay what is new, then three\nfacts.\n\nVoice: $<brand_voice>.',
  'Write a launch email for $<product>\nto $<audience>.\nSay what is new, then three\nfacts with numbers from $<release_notes>.\n\nVoice: $<brand_voice>.',
  'Write a launch email for $<product>\nto $<audience>.\nSay what is new, then three\nfacts with numbers from $<release_notes>.\n\nVoice: $<brand_voice>.\nEnd with one thing to try.',
  'Write a launch email for $<product>\nto $<audience>.\nSay what is new, then three\nfacts with numbers from $<release_notes>.\n\nVoice: $<brand_voice>. Keep to 140 words.\nEnd with one thing to try.',
  'Write a launch email for $<product>\nto $<audience>, in their language.\nOpen with the first-day change, then three\nfacts with numbers from $<release_notes>.\n\nVoice: $<brand_voice>. Keep to 140 words.\nEnd with one thing to try today.\nNo fact without its number.',
]
const NOTES: [note: string, author: string | null, hours: number][] = [
  ['', 'maren', 570],
  ['Three facts, not five', 'ines', 450],
  ['Brand voice as a file', 'tomasz', 330],
  ['Facts from release_notes', 'maren', 240],
  ['One thing to try at the end', 'maren', 75],
  ['Cap of 140 words, as the newsletter cuts what is longer, and nobody scrolls', 'ines', 26],
  ['First-day change, own language', null, 2],
]

/** Seven versions of a prompt, newest first. */
export const versions: PromptVersion[] = NOTES.map(([note, author, hours], index) => ({
  number: index + 1,
  title: 'Launch email',
  content: TEXTS[index] ?? '',
  note,
  author,
  createdAt: hoursAgo(hours),
})).reverse()

export const figures: VersionMetrics[] = [12, 97, 311, 1_904, 38, 64, 212].map((runs, index) => ({
  version: index + 1,
  runs,
  medianMs: 2_400,
  costUsd: index === 4 ? null : runs * (0.0016 + index * 0.0001),
}))

/** The first was never tested. */
export const tests: VersionTests[] = [6, 6, 8, 8, 8, 7].map((passed, index) => ({
  version: index + 2,
  ...{ cells: 9, passed },
}))

/** Where its labels are, with rules for production. */
export const labels: VersionLabels = {
  latest: 7,
  labels: [
    { label: 'newsletter-of-the-north-2026', version: 2, movedBy: 'ines', movedAt: hoursAgo(200) },
    { label: 'production', version: 4, movedBy: 'maren', movedAt: hoursAgo(240) },
    { label: 'staging', version: 7, movedBy: 'ines', movedAt: hoursAgo(1) },
  ],
  canMove: true,
  protected: [
    { label: 'production', whoMayMove: 'owners', needsSuite: true, canMove: true, canOverride: true },
  ],
}

const move = (fields: Partial<LabelMove> & Pick<LabelMove, 'id' | 'toVersion'>): LabelMove => ({
  label: 'production',
  fromVersion: null,
  movedBy: 'maren',
  movedAt: hoursAgo(240),
  reason: '',
  override: false,
  evaluationId: null,
  ...fields,
})
const moves: LabelMove[] = [
  move({ id: 5, label: 'staging', fromVersion: 6, toVersion: 7, movedBy: 'ines', movedAt: hoursAgo(1) }),
  move({
    ...{ id: 4, fromVersion: 3, toVersion: 4, override: true },
    reason: 'No German readers until 5 is out, and the notes are never empty on a launch day.',
  }),
  move({ id: 3, fromVersion: 2, toVersion: 3, movedAt: hoursAgo(320), evaluationId: 9 }),
  move({ id: 2, toVersion: 2, movedAt: hoursAgo(440), movedBy: null }),
  move({ id: 1, label: 'beta', fromVersion: 1, toVersion: null, movedAt: hoursAgo(500) }),
]

/** All of them, those of one label, or those that were live at a time. */
export function movesFor(query: URLSearchParams) {
  const found = moves.filter(({ id, label }) =>
    query.has('at') ? id === 4 : label === (query.get('label') ?? label),
  )
  return { json: found, headers: { 'x-total-count': String(found.length) } }
}

export const dependants: LabelDependants = {
  chains: [
    { id: 1, name: 'Monday digest', version: null, position: 2, title: 'Write it' },
    { id: 2, name: 'Release, from commits to mail', version: 4, position: 1, title: '' },
  ],
  schedules: [{ id: 1, name: 'Monday digest, weekly', nextDueAt: '2026-11-23T08:00:00.000Z' }],
  tokens: [
    { id: 1, name: 'Helpdesk', lastUsed: hoursAgo(0.1) },
    { id: 2, name: 'Laptop', lastUsed: null },
    { id: 3, name: 'Front desk', lastUsed: hoursAgo(30) },
  ],
  readTokens: [{ id: 4, name: 'Mail service', lastUsed: hoursAgo(2) }],
  hidden: 0,
}

const suite = {
  suiteId: 1,
  name: 'Launch mails',
  evaluationId: 3,
  failing: [
    { caseName: 'German audience', target: 'claude', reason: 'The answer is in English.' },
    { caseName: 'Empty release notes', target: 'claude', reason: 'It names a number that is nowhere.' },
  ],
}
export const gates = {
  open: { needsSuite: true, passed: true, suites: [], canOverride: true },
  closed: { needsSuite: true, passed: false, suites: [suite], canOverride: true },
  untested: { needsSuite: true, passed: false, suites: [], canOverride: false },
} satisfies Record<string, GateState>

/** Someone moved production to 6 meanwhile. */
export const movedMeanwhile = {
  error: 'production was moved meanwhile',
  details: { code: 'LABEL_MOVED', label: 'production', version: 6 },
}

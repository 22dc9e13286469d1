import type { ImportItem, ImportOutcome, RecentImport, UndoneImport } from '@catenary/contracts'
import type { Page } from 'playwright-core'
import { answers, fails, never, together } from './network.ts'
import type { State } from './state.ts'
import { fill, inTurn, press, seen } from './steps.ts'

const POST = '/api/import'
const LONG =
  'Answer to customers whose parcel was delivered to a neighbour who has moved away since, in the tone of the house'

const item = (key: string, name: string, fields: Partial<ImportItem> = {}): ImportItem => ({
  ...{
    key,
    kind: 'prompt',
    name,
    state: 'new',
    file: 0,
    at: `[${key}]`,
    tests: 0,
    isSkill: false,
    alias: null,
    slug: null,
  },
  ...{ existing: null, content: null, here: null, made: null, promptId: null, chainId: null, suiteId: null },
  ...fields,
})
const conflict = (key: string, name: string, version: number, isNewer = false) =>
  item(key, name, {
    ...{ state: 'conflict', existing: { id: 1, version, isNewer } },
    content: 'Suggest ten names for a boat that carries $<cargo>.\nOne a line, no explanations.',
  })

const ITEMS: ImportItem[] = [
  conflict('0.0', 'Product launch email', 9),
  conflict('0.1', 'Code review, kind and exact', 4, true),
  conflict('0.2', LONG, 3),
  conflict('1.0', 'Meeting to decisions', 6),
  ...Array.from({ length: 34 }, (_, n) =>
    item(`0.${n + 3}`, n === 0 ? LONG : `Support reply ${n + 1}`, { tests: n < 4 ? 27 : 0 }),
  ),
  ...['Tone check', 'SQL from a question', 'Weekly report'].map((name, n) =>
    item(`1.${n + 1}`, name, { state: 'same', existing: { id: n + 2, version: 3, isNewer: false } }),
  ),
]
const LOSSES = [
  ['langfuse-export.json › [3].config.tools', 'Tools are kept as a note, not run: find_order, refund_order'],
  ['promptfooconfig.yaml › Wiki teams: assert.2', 'It runs code, which is not supported here'],
  [
    'langfuse-export.json › [7].config.model',
    'gemini-1.5-pro is not set up here, so the prompt has no model of its own and uses the chosen one',
  ],
  [
    'langfuse-export.json › [11].prompt[0].content[1]',
    'An image is kept as a note by its address: it is not fetched',
  ],
  [
    'langfuse-export.json › [12]',
    'Version 3 of support/answer is not imported: another one is released or newer',
  ],
  [`langfuse-export.json › [14].prompt`, `{{#if customer.isVip}} is more than a name: it stays as text`],
] as const
const OUTCOME: ImportOutcome = {
  id: null,
  files: [
    { name: 'langfuse-export.json', format: 'langfuse', prompts: 37, chains: 0, tests: 0, problem: null },
    { name: 'promptfooconfig.yaml', format: 'promptfoo', prompts: 4, chains: 0, tests: 108, problem: null },
  ],
  items: ITEMS.map((each, index) => (index < 2 ? { ...each, isSkill: true } : each)),
  losses: LOSSES.map(([at, reason]) => ({ at, reason })),
  lossCount: LOSSES.length,
}
const NOTHING: ImportOutcome = {
  ...{ id: null, items: [], lossCount: 1 },
  losses: [
    {
      at: 'prompts-of-the-whole-support-team-november.json',
      reason: 'Nothing is imported from this file. Line 3,408: it is not readable JSON',
    },
  ],
  files: [
    {
      ...{
        name: 'prompts-of-the-whole-support-team-november.json',
        format: null,
        prompts: 0,
        chains: 0,
        tests: 0,
      },
      problem: 'Line 3,408: it is not readable JSON',
    },
  ],
}
const RECENT: RecentImport[] = [
  {
    ...{
      id: 7,
      fileNames: ['langfuse-export.json', 'promptfooconfig.yaml'],
      fileCount: 2,
      made: 37,
      versions: 2,
    },
    ...{ lossCount: 6, canUndo: true, undoneAt: null, createdAt: '2026-11-26T08:00:00.000Z' },
  },
  {
    ...{
      id: 6,
      fileNames: ['Pasted text'],
      fileCount: 1,
      made: 1,
      versions: 0,
      lossCount: 0,
      canUndo: false,
    },
    ...{ undoneAt: '2026-11-24T09:00:00.000Z', createdAt: '2026-11-24T08:00:00.000Z' },
  },
]
const UNDONE: UndoneImport = {
  ...{ removed: 36, restored: 1 },
  kept: [
    { kind: 'prompt', id: 3, name: LONG, reason: 'changed' },
    { kind: 'prompt', id: 4, name: 'Support reply 2', reason: 'used' },
  ],
}

const outcome =
  (dryRun: ImportOutcome, real = dryRun) =>
  (page: Page) =>
    page.route('**/api/import', (route) =>
      route.fulfill({ json: route.request().postDataJSON().dryRun ? dryRun : real }),
    )
const made = {
  ...OUTCOME,
  id: 8,
  items: ITEMS.map((each, index) => {
    if (each.state !== 'new') return each
    const named = index < 8 ? { alias: `support/reply ${index}`, slug: `support-reply-${index}` } : {}
    return { ...each, ...named, made: 'new' as const, promptId: 9 }
  }),
}

const FOLDER: ImportOutcome = {
  ...{ id: null, losses: [], lossCount: 0 },
  files: [{ name: 'catenary.zip', format: 'catenary', prompts: 2, chains: 1, tests: 12, problem: null }],
  items: [
    item('0.0', 'Refund reply', { state: 'same' }),
    item('1.0', 'Boat names'),
    item('2.0', 'Monthly letter', {
      ...{ kind: 'chain', state: 'conflict', existing: { id: 4, version: 7, isNewer: false } },
      here: 'catenary: chain\nname: Monthly letter\nsteps:\n  - outputName: draft\n    model: openai\n    content: Write.\n',
      content:
        'catenary: chain\nname: Monthly letter\nsteps:\n  - outputName: draft\n    model: openai\n    content: Write kindly.\n',
    }),
    item('3.0', 'Tone', { kind: 'suite', tests: 12 }),
  ],
}

/** Two files, as the dry run answers with two. */
const paste = inTurn(fill('Or paste text', '[{"name": "a"}]'), press('Check it'))
const start = { who: 'user', path: '/?import=new' } as const
const imported = together(outcome(OUTCOME, made), answers('/api/imports/8/undo', UNDONE))

/** Bringing prompts from elsewhere. */
export const importStates: readonly State[] = [
  { ...start, name: 'import', network: answers('/api/imports', RECENT), prepare: seen('Earlier imports') },
  { ...start, name: 'import-dry-run', network: outcome(OUTCOME), prepare: inTurn(paste, seen(/34 new/)) },
  {
    ...start,
    name: 'import-diff',
    only: 'desk',
    network: outcome(OUTCOME),
    prepare: inTurn(
      paste,
      async (page) => page.getByRole('button', { name: /^Diff/ }).first().click(),
      seen('In the file'),
    ),
  },
  {
    ...start,
    name: 'import-folder',
    network: outcome(FOLDER),
    prepare: inTurn(
      paste,
      async (page) => page.getByRole('button', { name: /^Diff/ }).first().click(),
      seen('In the file'),
    ),
  },
  { ...start, name: 'import-nothing', network: outcome(NOTHING), prepare: inTurn(paste, seen(/Line 3,408/)) },
  {
    ...start,
    name: 'import-loading',
    network: never(POST),
    prepare: inTurn(paste, seen('Drop more, or choose')),
  },
  {
    ...start,
    name: 'import-failed',
    network: fails(POST),
    prepare: inTurn(paste, seen('The files could not be read')),
  },
  {
    ...start,
    name: 'import-done',
    network: imported,
    prepare: inTurn(paste, press(/^Import 34/), seen('34 prompts imported')),
  },
  {
    ...start,
    name: 'import-undone',
    network: imported,
    prepare: inTurn(paste, press(/^Import 34/), press('Undo'), seen('2 stay:')),
  },
]

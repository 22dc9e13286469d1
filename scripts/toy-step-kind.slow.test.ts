import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/root.mjs'
import { type Added, refusedFiles } from './lib/with-toys.ts'

const KINDS = 'packages/contracts/src/settings/step-kinds.ts'
const FIELDS = 'packages/contracts/src/settings/step-flow.ts'
const RUNS = 'apps/server/src/features/runs/chain-runs/kinds'
const STEPS = 'apps/web/src/features/chains/steps'
const CONFIGS = ['tsconfig.json', 'apps/web/tsconfig.json']

/** The contract’s list of kinds with one more, which has a field of its own. */
const KINDS_BEGUN = readFileSync(join(root, KINDS), 'utf8')
  .replace("['prompt', 'tool', 'ask', 'stop']", "['prompt', 'tool', 'ask', 'stop', 'wait']")
  .replace(
    'export interface OwnFields {',
    'export interface OwnFields {\n  wait?: { text: string } | null | undefined',
  )

const OWN =
  "{ field: 'wait', isIn: ({ wait }) => wait != null, lacks: '', others: '', texts: () => [], textMax: 1, withTexts: () => ({}) }"
const SCHEMA = "z.object({ text: z.string() }).describe('How long.')"

/** Its own files: how it runs, and how it is filled in. */
const FOLDERS = {
  [`${RUNS}/wait.ts`]: `
    import type { KindInRun } from './kind-in-run.ts'
    import { TEMPLATES } from './templates.ts'
    export const WAIT: KindInRun = { ...TEMPLATES, planned: () => ({ kind: 'wait' }), take: async () => ({ endsRun: true }) }`,
  [`${STEPS}/wait/wait-kind.tsx`]: `
    import * as z from 'zod'
    import { flowForm } from '../flow/flow-form.ts'
    import type { KindForm, SharedForm } from '../kind-form.ts'
    export const waitKind = {
      Fields: () => <p>It waits.</p>,
      mayFail: false,
      defaultHint: () => null,
      form: (shared: SharedForm) => z.object({ kind: z.literal('wait'), ...shared, onlyIf: flowForm.onlyIf }),
      checked: ({ outputVariableName }) => ({ content: '', outputVariableName }),
    } satisfies KindForm`,
}
/** Its entries, each where the compiler asks for it. */
const ENTRIES: Added = {
  [KINDS]: [
    [
      '  stop: {',
      `  wait: { does: 'wait', shows: 'it waits', own: ${OWN}, hasOutput: true, givesJson: never, mayLoop: false, isForOutput: false },`,
    ],
  ],
  [FIELDS]: [
    [
      `  forEach: keptLoop.optional().describe(\`\${FOR_EACH}; absent: once.\`),`,
      `  wait: ${SCHEMA}.optional(),`,
    ],
    [
      `  forEach: loop.nullable().optional().describe(\`\${FOR_EACH}; null: once; \${KEPT}.\`),`,
      `  wait: ${SCHEMA}.nullable().optional(),`,
    ],
  ],
  [`${RUNS}/kinds.ts`]: [
    [
      'export const KIND_IN_RUN: Readonly<Record<StepKind, KindInRun>> = {',
      "import { WAIT } from './wait.ts'",
    ],
    ['  stop: STOP,', '  wait: WAIT,'],
  ],
  [`${STEPS}/kinds.tsx`]: [
    [
      '  stop: {',
      "  wait: { label: 'Wait', hint: 'waits', Icon: OctagonXIcon, previewTitle: 'What it waits for' },",
    ],
  ],
  [`${STEPS}/kind-forms.ts`]: [
    ["import { stopKind } from './stop/stop-kind.ts'", "import { waitKind } from './wait/wait-kind.tsx'"],
    ['  stop: stopKind,', '  wait: waitKind,'],
  ],
}

/** What else walks the fields of a step, and asks for the kind’s own. */
const DOORS: Added = {
  'packages/contracts/src/exchange/folder-places.ts': [["    ask: 'ask',", "    wait: 'wait',"]],
  'apps/server/src/features/evaluations/open-targets.ts': [['  ask: step.ask,', '  wait: step.wait,']],
}

function refused(...added: readonly Added[]): string[] {
  const files = { [KINDS]: KINDS_BEGUN, ...FOLDERS }
  return [...new Set(CONFIGS.flatMap((config) => refusedFiles({ files, added, config })))].toSorted()
}

test('a further kind of step is a folder and an entry a side, and what walks its fields asks for them by name', () => {
  expect(refused()).toEqual(expect.arrayContaining(Object.keys(ENTRIES)))
  expect(refused(ENTRIES)).toEqual(Object.keys(DOORS).toSorted())
  expect(refused(ENTRIES, DOORS)).toEqual([])
}, 600_000)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/root.mjs'
import { type Added, refusedFiles } from './lib/with-toys.ts'

const TYPES = 'packages/contracts/src/tools/step-tool.ts'
const ACTS = 'packages/domain/src/acts/tool-types.ts'
const RUNS = 'apps/server/src/features/runs/chain-runs/kinds/tool'
const FORMS = 'apps/web/src/features/chains/steps/tool'
const CONFIGS = ['tsconfig.json', 'apps/web/tsconfig.json']

/** The contract’s list of types with one more. */
const TYPES_BEGUN = readFileSync(join(root, TYPES), 'utf8')
  .replace('[httpTool, mailTool]', '[httpTool, mailTool, bellTool]')
  .replace("['http', 'mail']", "['http', 'mail', 'bell']")
  .replace("from 'zod'\n", "from 'zod'\nimport { BELL_TOOL, bellTool } from './bell-tool.ts'\n")

/** Its own files: what it is, how it is checked and made, how it goes out, and how it is filled in and shown. */
const FOLDERS = {
  'packages/contracts/src/tools/bell-tool.ts': `
    import * as z from 'zod'
    import type { TypeOfTool } from './type-of-tool.ts'
    export const bellTool = z.strictObject({ type: z.literal('bell'), times: z.int() })
    export type BellTool = z.infer<typeof bellTool>
    export const BELL_TOOL: TypeOfTool<BellTool> = {
      texts: () => [], withTexts: (tool) => tool, answer: () => ({ as: 'text' }),
      acts: { does: 'rings', goTo: 'to the bell' }, isSafeToRepeat: () => true,
    }`,
  'packages/domain/src/acts/bell/bell.ts': `
    import type { StepTool } from '@catenary/contracts'
    import type { MailCall } from '../mail/mail.ts'
    import type { TypeOfTool } from '../type-of-tool.ts'
    export const BELL: TypeOfTool<Extract<StepTool, { type: 'bell' }>, MailCall> = {
      findFault: () => undefined, destination: () => 'bell',
      render: () => ({ shown: [], call: { type: 'mail', to: [], subject: '', text: '' } }),
    }`,
  [`${RUNS}/bell/bell.ts`]: `
    import type { StepTool } from '@catenary/contracts'
    import type { TypeInRun } from '../type-in-run.ts'
    export const BELL_IN_RUN: TypeInRun<Extract<StepTool, { type: 'bell' }>, object> = {
      send: async () => ({ text: '' }), shown: () => ({ kind: 'mail', to: [] }),
    }`,
  [`${FORMS}/bell/bell-type.tsx`]: `
    import type { StepTool } from '@catenary/contracts'
    import * as z from 'zod'
    import type { ToolShared, ToolTypeForm } from '../tool-type-form.ts'
    const tool: StepTool = { type: 'bell', times: 1 }
    export const bellType = {
      label: 'Ring', Fields: () => <p>It rings.</p>, givesJson: () => false,
      form: (shared: ToolShared) =>
        z.object({ ...shared, toolType: z.literal('bell') }).transform((values) => ({ ...values, tool })),
      ready: () => tool, inputOf: () => ({}), rows: {}, textsWith: () => ({}), fieldOf: (path: string) => path,
      changes: () => [], textChanges: () => [],
    } satisfies ToolTypeForm
    export const BellLine = () => <p>It rings.</p>`,
}

/** Its entries, each where the compiler asks for it. */
const ENTRIES: Added = {
  [TYPES]: [['  http: HTTP_TOOL,', '  bell: BELL_TOOL,']],
  [ACTS]: [
    [
      "import type { TemplateSyntax } from '../template/tokenize.ts'",
      "import { BELL } from './bell/bell.ts'",
    ],
    [
      '  http: { findFault: findHttpFault, destination: destinationOfHttp, render: renderHttp },',
      '  bell: BELL,',
    ],
  ],
  [`${RUNS}/tool-types.ts`]: [
    ["import { HTTP_IN_RUN } from './http/http.ts'", "import { BELL_IN_RUN } from './bell/bell.ts'"],
    ['  http: HTTP_IN_RUN,', '  bell: BELL_IN_RUN,'],
  ],
  [`${FORMS}/tool-forms.ts`]: [
    ["import { httpType } from './http/http-type.ts'", "import { bellType } from './bell/bell-type.tsx'"],
    ['  http: httpType,', '  bell: bellType,'],
  ],
  [`${FORMS}/tool-views.tsx`]: [
    [
      "import { HttpBadges, HttpLine, HttpView } from './http/http-views.tsx'",
      "import { BellLine } from './bell/bell-type.tsx'",
    ],
    [
      '  http: { Badges: HttpBadges, Line: HttpLine, View: HttpView },',
      '  bell: { Line: BellLine, View: BellLine },',
    ],
  ],
}

function refused(...added: readonly Added[]): string[] {
  const files = { [TYPES]: TYPES_BEGUN, ...FOLDERS }
  return [...new Set(CONFIGS.flatMap((config) => refusedFiles({ files, added, config })))].toSorted()
}

test('a further type of tool is a folder and an entry a side, and the compiler asks for each', () => {
  expect(refused()).toEqual(Object.keys(ENTRIES).toSorted())
  expect(refused(ENTRIES)).toEqual([])
}, 600_000)

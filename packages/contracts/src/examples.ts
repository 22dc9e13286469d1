import * as z from 'zod'
import { variable } from './variables.ts'

const counts = z.object({
  prompts: z.int().describe('Prompts of the examples.'),
  chains: z.int().describe('Chains of the examples.'),
  variables: z.int().describe('Variables of the examples.'),
  suites: z.int().describe('Test suites of the examples.'),
})
export type ExampleCounts = z.infer<typeof counts>

const outline = z
  .object({
    prompts: z
      .array(
        z.object({
          title: z.string().describe('As the library shows it.'),
          category: z.string().describe('Under which it is filed.'),
        }),
      )
      .describe('Two a category.'),
    chains: z
      .array(
        z.object({
          name: z.string().describe('As lists show it.'),
          steps: z.array(z.string()).describe('Titles, in the order in which they run.'),
        }),
      )
      .describe('Each step takes what those before it made.'),
    variables: z.array(variable.pick({ name: true, type: true })).describe('What the prompts refer to.'),
    suites: z
      .array(
        z.object({
          name: z.string().describe('As lists show it.'),
          prompt: z.string().describe('The title of what it tests.'),
          tests: z.int().describe('How many tests it has.'),
        }),
      )
      .describe('Test suites.'),
  })
  .describe('What there is to be made.')
export type ExampleOutline = z.infer<typeof outline>

/** GET /api/examples */
export const examplesState = z.object({
  outline,
  present: counts.describe('What of them the caller has; none for a guest.'),
})
export type ExamplesState = z.infer<typeof examplesState>

/** POST /api/examples */
export const madeExamples = z.object({
  present: counts.describe('What of them the caller has now.'),
  takenNames: z
    .array(z.string())
    .describe('Names of examples that the caller had variables of already: those are used, as they are.'),
})
export type MadeExamples = z.infer<typeof madeExamples>

export const EXAMPLE_KINDS = ['prompt', 'chain', 'variable', 'suite'] as const
export type ExampleKind = (typeof EXAMPLE_KINDS)[number]

/** DELETE /api/examples */
export const removedExamples = z.object({
  removed: counts.describe('What was deleted.'),
  kept: z
    .array(
      z.object({
        kind: z.enum(EXAMPLE_KINDS).describe('What it is.'),
        name: z.string().describe('Its title or name.'),
        reason: z
          .enum(['changed', 'used'])
          .describe(
            'changed: it is no longer as it was made; used: a chain, prompt, suite, token, schedule, label or share that stays needs it.',
          ),
      }),
    )
    .describe('What stays; from now on it is no example any more.'),
})
export type RemovedExamples = z.infer<typeof removedExamples>
export type KeptExample = RemovedExamples['kept'][number]

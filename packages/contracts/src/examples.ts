import * as z from 'zod'
import { defineApi } from './endpoint.ts'
import { variable } from './variables/variables.ts'

const counts = z.object({
  prompts: z.int().describe('Example prompts.'),
  chains: z.int().describe('Example chains.'),
  variables: z.int().describe('Example variables.'),
  suites: z.int().describe('Example test suites.'),
})
export type ExampleCounts = z.infer<typeof counts>

const outline = z
  .object({
    prompts: z
      .array(
        z.object({
          title: z.string().describe('Title in the library.'),
          category: z.string().describe('Name of its category.'),
        }),
      )
      .describe('Two per category.'),
    chains: z
      .array(
        z.object({
          name: z.string().describe('Name shown in lists.'),
          steps: z.array(z.string()).describe('Titles of the steps, in running order.'),
        }),
      )
      .describe('Steps, each using the outputs of those before it.'),
    variables: z.array(variable.pick({ name: true, type: true })).describe('Variables that the prompts use.'),
    suites: z
      .array(
        z.object({
          name: z.string().describe('Name shown in lists.'),
          prompt: z.string().describe('Title of the prompt or chain that it tests.'),
          tests: z.int().describe('How many tests it has.'),
        }),
      )
      .describe('Test suites.'),
  })
  .describe('What creating the examples adds.')
export type ExampleOutline = z.infer<typeof outline>

export const examplesState = z.object({
  outline,
  present: counts.describe('Which examples the caller has; none for a guest.'),
})
export type ExamplesState = z.infer<typeof examplesState>

export const madeExamples = z.object({
  present: counts.describe('Which examples the caller has now.'),
  takenNames: z
    .array(z.string())
    .describe('Names of example variables that the caller already had; theirs are used unchanged.'),
})
export type MadeExamples = z.infer<typeof madeExamples>

export const EXAMPLE_KINDS = ['prompt', 'chain', 'variable', 'suite'] as const
export type ExampleKind = (typeof EXAMPLE_KINDS)[number]

export const removedExamples = z.object({
  removed: counts.describe('What was deleted.'),
  kept: z
    .array(
      z.object({
        kind: z.enum(EXAMPLE_KINDS).describe('Kind of the record.'),
        name: z.string().describe('Its title or name.'),
        reason: z
          .enum(['changed', 'used'])
          .describe(
            'changed: it was edited; used: a chain, prompt, suite, token, schedule, label or share that stays needs it.',
          ),
      }),
    )
    .describe('What was kept; it no longer counts as an example.'),
})
export type RemovedExamples = z.infer<typeof removedExamples>
export type KeptExample = RemovedExamples['kept'][number]

export const examplesApi = defineApi('examples', {
  'GET /api/examples': {
    who: 'guest',
    summary: 'The examples, and which of them the caller has',
    reply: examplesState,
  },
  'POST /api/examples': {
    who: 'user',
    summary: 'Add the examples',
    description:
      'Adds the caller’s own private prompts, variables, chains and a test suite: all of them or none. ' +
      'Nothing is added while some of them exist. A variable whose name is taken stays as it is.',
    reply: madeExamples,
    errors: [401, 403],
    activity: { kind: 'examples.added', object: 'account' },
  },
  'DELETE /api/examples': {
    who: 'user',
    summary: 'Remove the examples',
    description:
      'Removes only unchanged ones that nothing else uses. The others stay but no longer count as examples. ' +
      'Runs of prompts stay, as when a prompt is deleted; runs of chains are deleted.',
    reply: removedExamples,
    errors: [401],
    activity: { kind: 'examples.removed', object: 'account' },
  },
})

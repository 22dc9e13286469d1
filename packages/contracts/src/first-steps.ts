import * as z from 'zod'
import { id } from './common.ts'

export const FIRST_STEPS = ['model', 'run', 'chain', 'code'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** GET /api/first-steps */
export const firstSteps = z.object({
  isOver: z
    .boolean()
    .describe('The caller put them away, or has done all four: they are not shown any more.'),
  done: z
    .object({
      model: z
        .boolean()
        .describe(
          'A model can be called, the caller went on in the sandbox, or setting keys is not theirs to do.',
        ),
      run: z.boolean().describe('They ran a prompt.'),
      chain: z.boolean().describe('They ran a chain, or made one of two steps.'),
      code: z.boolean().describe('One of their tokens was called with.'),
    })
    .describe('What of it the caller has done.'),
  hasKey: z.boolean().describe('A model other than the sandbox can be called.'),
  promptId: id.nullable().describe('One of theirs that can be run; null: they have none.'),
  chainId: id.nullable().describe('One of theirs that can be run; null: they have none.'),
})
export type FirstSteps = z.infer<typeof firstSteps>

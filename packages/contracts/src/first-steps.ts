import * as z from 'zod'
import { id } from './common.ts'
import { defineApi } from './endpoint.ts'

export const FIRST_STEPS = ['model', 'run', 'chain', 'code'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

export const firstSteps = z.object({
  isOver: z
    .boolean()
    .describe('The caller dismissed them or has done all four, so they are no longer shown.'),
  done: z
    .object({
      model: z
        .boolean()
        .describe(
          'A model can be called, the caller continued with the sandbox, or the caller may not set keys.',
        ),
      run: z.boolean().describe('They ran a prompt.'),
      chain: z.boolean().describe('They ran a chain, or built one with two steps.'),
      code: z.boolean().describe('One of their tokens was used.'),
    })
    .describe('Which steps the caller has done.'),
  hasKey: z.boolean().describe('A model other than the sandbox can be called.'),
  promptId: id.nullable().describe('Id of one that they can run; null: they have none.'),
  chainId: id.nullable().describe('Id of one that they can run; null: they have none.'),
})
export type FirstSteps = z.infer<typeof firstSteps>

export const firstStepsApi = defineApi('accounts', {
  'GET /api/first-steps': {
    who: 'user',
    summary: 'Which first steps the caller has done',
    description: 'Derived from existing runs, chains and calls with tokens.',
    reply: firstSteps,
    errors: [401],
  },
  'DELETE /api/first-steps': {
    who: 'user',
    summary: 'Hide the first steps for good',
    errors: [401],
    activity: { none: 'It hides a strip on the caller’s own page.' },
  },
})

import * as z from 'zod'

export const STOP_TEXT_MAX = 100_000

export const stopRun = z.strictObject({
  outcome: z.enum(['completed', 'failed']).describe('How the run ends.'),
  text: z
    .string()
    .max(STOP_TEXT_MAX)
    .describe('A template, like the content: the output of the run, or the error that it ends with.'),
})
export type StopRun = z.infer<typeof stopRun>

/** How a step ends its run; undefined for one that doesn’t, whose `stop` are texts at which a model stops writing. */
export function endOf(stop: readonly string[] | StopRun | null | undefined): StopRun | undefined {
  return stop && 'outcome' in stop ? stop : undefined
}

import * as z from 'zod'

export const STOPS_WITHOUT_VALUE = ['unwatched', 'always', 'never'] as const
export const stopsWithoutValue = z
  .enum(STOPS_WITHOUT_VALUE)
  .describe(
    'Which runs fail before a step that uses a variable without a value (D44). unwatched: runs of schedules and tokens; always: also runs started in the web app; never: the reference is sent unchanged.',
  )
export type StopsWithoutValue = z.infer<typeof stopsWithoutValue>

export const STOPS_WHEN_CUT = ['unwatched', 'always', 'never'] as const
export const stopsWhenCut = z
  .enum(STOPS_WHEN_CUT)
  .describe(
    'Which runs fail at a step whose answer is or may be cut off and would be used by a later step (D71). unwatched: runs of schedules and tokens; always: also runs started in the web app; never: later steps get the incomplete answer.',
  )
export type StopsWhenCut = z.infer<typeof stopsWhenCut>

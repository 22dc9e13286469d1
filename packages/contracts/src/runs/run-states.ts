import * as z from 'zod'
import { errorReply, id, timestamp } from '../common.ts'
import { presenceFields, runDetails, runStep } from './chain-runs.ts'
import { presenceOf, presenceSight, presenceStatus } from './present-runs.ts'
import { runStatus, usage } from './runs.ts'
import { limitWait } from './waits-and-fallbacks.ts'

/** What a watcher needs of a step: without its texts. */
const stepState = runStep
  .pick({
    position: true,
    status: true,
    error: true,
    retries: true,
    limitWaitMs: true,
    finishReason: true,
    cut: true,
  })
  .extend(usage.shape)
  .extend({
    startedAt: timestamp
      .optional()
      .describe('When the current step started, if the process that answers knows.'),
    waitsFor: limitWait.optional().describe('What its call waits for, if the process that answers knows.'),
  })
export type StepState = z.infer<typeof stepState>

/** The state of a run. */
export const runState = z.object({
  id,
  status: runStatus,
  error: runDetails.shape.error,
  canResume: runDetails.shape.canResume,
  canStop: runDetails.shape.canStop,
  sight: runDetails.shape.sight,
  steps: z.array(stepState).describe('In running order.'),
})
export type RunState = z.infer<typeof runState>

/** What a watcher of another person's run that may use private values is told. */
export const runPresenceState = presenceOf(runState, {
  id,
  status: presenceStatus,
  canStop: presenceFields.canStop,
  sight: presenceSight,
})

/** GET /api/executions/{id}/status */
export const seenRunState = z.discriminatedUnion('sight', [runState, runPresenceState])
export type SeenRunState = z.infer<typeof seenRunState>

/**
 * Events of GET /api/executions/{id}/events. `state` comes first and after each change; `end` is the last, or `error`,
 * after which the run may still go on.
 */
export const runWatchEvents = {
  state: seenRunState,
  delta: z.object({
    position: z.int().describe('Position of the step.'),
    from: z.int().describe('Offset of this piece in the step’s answer. If you missed a piece, get the run.'),
    text: z.string().describe('The next piece of the answer.'),
  }),
  end: z.object({ status: z.union([runStatus, presenceStatus]) }),
  error: errorReply,
}

import * as z from 'zod'
import { errorReply, id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { presenceFields, runDetails } from './chain-runs.ts'
import { presenceOf, presenceSight, presenceStatus } from './present-runs.ts'
import { itemCounts, runStep } from './run-steps.ts'
import { runStatus, usage } from './runs.ts'
import { limitWait } from './waits-and-fallbacks.ts'

const stepState = runStep
  .pick({
    position: true,
    status: true,
    error: true,
    skipReason: true,
    retries: true,
    limitWaitMs: true,
    finishReason: true,
    cut: true,
  })
  .extend(usage.shape)
  .extend({
    startedAt: timestamp
      .optional()
      .describe('When the current step started, if the answering process knows.'),
    itemCounts: itemCounts.describe(
      'Of the current step, if it runs for each item of a list: how many of them have ended, if the answering process knows. Those of a step that has ended are in the run.',
    ),
    waitsFor: limitWait.optional().describe('What its call is waiting for, if the answering process knows.'),
  })
export type StepState = z.infer<typeof stepState>

export const runState = z.object({
  id,
  status: runStatus,
  error: runDetails.shape.error,
  canResume: runDetails.shape.canResume,
  canStop: runDetails.shape.canStop,
  sight: runDetails.shape.sight,
  waitingFor: runDetails.shape.waitingFor,
  wouldLeave: runDetails.shape.wouldLeave,
  steps: z.array(stepState).describe('In running order.'),
})
export type RunState = z.infer<typeof runState>

export const runPresenceState = presenceOf(runState, {
  id,
  status: presenceStatus,
  canStop: presenceFields.canStop,
  sight: presenceSight,
})

export const seenRunState = z.discriminatedUnion('sight', [runState, runPresenceState])
export type SeenRunState = z.infer<typeof seenRunState>

/** `state` comes first and after each change; `end` is the last, or `error`, after which the run may still go on. */
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

export const runWatchingApi = defineApi('executions', {
  'GET /api/executions/{id}/events': {
    who: 'user',
    summary: 'Watch a run',
    description:
      'A stream of three events: state (first, and after each change), delta (text of the running step: first ' +
      'everything so far, then as it comes; `from` 0 starts it again) and end. It breaks off without end when the ' +
      'watcher may no longer see the run, after error if the run can’t be followed from here, and after the field ' +
      'retry if this process stops: reconnect after that many milliseconds, and another process will answer.',
    params: idParams,
    sends: {},
    reads: 'none',
    limits: ['streams'],
  },
})

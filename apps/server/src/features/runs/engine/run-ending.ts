import { type FinishReason, PRIVATE_VALUES, VALUE_WOULD_LEAVE } from '@catenary/contracts'
import { ConditionUnreadableError, MissingFieldError, TemplateTooLongError } from '@catenary/domain'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { ModelErrorCode, ModelResult } from '../../../platform/models/model-types.ts'
import { RunStopped, type StopReason } from './active-runs.ts'

export type RunFailureCode =
  | ModelErrorCode
  | 'input_empty'
  | 'input_too_long'
  | 'value_missing'
  | 'condition_unreadable'
  | 'stopped_by_step'
  | 'ask_rejected'
  | 'tool_failed'
  | 'tool_unsure'
  | 'run_waiting'
  | 'too_many_items'
  | typeof PRIVATE_VALUES
  | typeof VALUE_WOULD_LEAVE
  | 'cancelled'
  | 'account_disabled'
  | 'server_stopped'
  | 'server_broke_off'
  | 'lost'
  | 'internal'

export interface RunFailure {
  status: 'failed' | 'cancelled'
  message: string
  code: RunFailureCode
  used?: RunUsage
  /** For a chain, the step where it ended; earlier steps have completed. */
  step?: { position: number; title: string } | undefined
  /** The same may go well a moment later; absent where that is not known. */
  isPassing?: boolean
  retryAfterMs?: number | undefined
}

export type RunUsage = Pick<ModelResult, 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'costNanos'>

export interface RunAnswer extends Pick<ModelResult, 'text'>, RunUsage {
  finishReason: FinishReason | null
}

export type RunOutcome<Answer extends RunAnswer = RunAnswer> =
  | { status: 'completed'; answer: Answer }
  | RunFailure

export interface RunHandle<Answer extends RunAnswer = RunAnswer> {
  id: number
  /** The answer from its beginning, as it is written, to each reader; ends with the run, however it ends. */
  text: { read(): AsyncIterable<string> }
  /** Settles after what it says has been stored; never rejects. */
  readonly outcome: Promise<RunOutcome<Answer>>
}

export interface ChainRunHandle extends RunHandle {
  steps: { read(): AsyncIterable<number> }
}

const STOPPED: Record<StopReason, RunFailure> = {
  person: { status: 'cancelled', message: 'Stopped before the answer was complete', code: 'cancelled' },
  server: {
    status: 'failed',
    message: 'The server stopped before the answer was complete. Run it again.',
    code: 'server_stopped',
    isPassing: true,
  },
  lost: { status: 'failed', message: 'The run was deleted, or continues elsewhere', code: 'lost' },
  disabled: {
    status: 'failed',
    message: 'The account of the person who started this run is disabled',
    code: 'account_disabled',
  },
}

export const stoppedByServer = STOPPED.server
export const runDeleted = STOPPED.lost
export const runnerDisabled = STOPPED.disabled

/** How often the process running a step may die before the run is given up. */
export const MAX_LOST_WORKERS = 5

export const lostTooOften: RunFailure = {
  status: 'failed',
  message: `The server stopped ${MAX_LOST_WORKERS} times during this step, so it is not retried automatically. Resume the run`,
  code: 'server_broke_off',
}

export const stoppedBeforeStart: RunFailure = {
  status: 'cancelled',
  message: 'Stopped before it was complete',
  code: 'cancelled',
}

/** For a caller that waits: the run goes on once a person has answered. */
export const runWaiting: RunFailure = {
  status: 'failed',
  message: 'The run is waiting for a person to answer, and goes on afterwards',
  code: 'run_waiting',
}

export class EmptyInputError extends Error {}

export class MissingValueError extends Error {}

export class WithheldValueError extends Error {}

/** Its private values would go where its runner did not allow (D89). */
export class ValueWouldLeaveError extends Error {
  readonly destinations: string[]

  constructor(message: string, destinations: string[]) {
    super(message)
    this.destinations = destinations
  }
}

/** The answer that a test has for a step ends the run as failed. */
export class AskRejectedError extends Error {}

/** A step of kind `stop` ends the run as failed, with its text. */
export class StoppedByStepError extends Error {}

/** A list is longer than its step, or the run, runs for: nothing of it was asked. */
export class TooManyItemsError extends Error {}

/** A sealed part of a call that is still to come has no value. */
export class MissingSealedError extends Error {}

/** Somebody else than the owner changed a call with sealed parts, and the owner has not allowed it. */
export class CallRestsError extends Error {}

/** A service refused a call, or gave no answer that can be used. */
export class ToolFailedError extends Error {}

/** Nobody knows whether a call happened, so the run waits until its runner says so (D84). The message says why. */
export class ToolUnsureError extends Error {}

/** An item failed, and with it its step. */
export class ItemFailedError extends Error {
  readonly failure: RunFailure

  constructor({ index, failure }: { index: number; failure: RunFailure }) {
    const message = `Item ${index + 1}: ${failure.message}`
    super(message)
    this.failure = { ...failure, message }
  }
}

const NO_VALUE = [MissingValueError, MissingFieldError, MissingSealedError]

export function toFailure({ error, signal }: { error: unknown; signal: AbortSignal }): RunFailure {
  const stopped = stopReason(signal)
  if (stopped !== undefined) return STOPPED[stopped]
  if (error instanceof ModelError) {
    const { message, code, retryable: isPassing, retryAfterMs } = error
    return { status: 'failed', message, code, isPassing, retryAfterMs }
  }
  if (error instanceof TemplateTooLongError)
    return { status: 'failed', message: error.message, code: 'input_too_long' }
  if (error instanceof ToolFailedError || error instanceof CallRestsError)
    return { status: 'failed', message: error.message, code: 'tool_failed' }
  if (error instanceof ToolUnsureError)
    return { status: 'failed', message: error.message, code: 'tool_unsure' }
  if (error instanceof EmptyInputError)
    return { status: 'failed', message: error.message, code: 'input_empty' }
  if (error instanceof WithheldValueError)
    return { status: 'failed', message: error.message, code: PRIVATE_VALUES }
  if (error instanceof ValueWouldLeaveError)
    return { status: 'failed', message: error.message, code: VALUE_WOULD_LEAVE }
  if (error instanceof ConditionUnreadableError)
    return { status: 'failed', message: error.message, code: 'condition_unreadable' }
  if (error instanceof ItemFailedError) return error.failure
  if (error instanceof TooManyItemsError)
    return { status: 'failed', message: error.message, code: 'too_many_items' }
  if (error instanceof AskRejectedError)
    return { status: 'failed', message: error.message, code: 'ask_rejected' }
  if (error instanceof StoppedByStepError)
    return { status: 'failed', message: error.message, code: 'stopped_by_step' }
  if (NO_VALUE.some((kind) => error instanceof kind) && error instanceof Error)
    return { status: 'failed', message: error.message, code: 'value_missing' }
  return { status: 'failed', message: 'The run failed on the server', code: 'internal' }
}

/** Why the signal was aborted, if it was: a run's own stop, else the person went away. */
export function stopReason(signal: AbortSignal): StopReason | undefined {
  if (!signal.aborted) return undefined
  return signal.reason instanceof RunStopped ? signal.reason.reason : 'person'
}

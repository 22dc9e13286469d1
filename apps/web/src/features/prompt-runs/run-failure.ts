import { ApiError, errorReason, isNetworkFailure, RequestTimeoutError } from '../../lib/errors.ts'
import type { GuideTopic } from '../../lib/guide-topics.ts'
import { privateNamesOf } from '../variables/private-refusal.ts'

export interface RunFailure {
  title: string
  advice: string
  /** What administrators are told in its place. */
  ownAdvice?: string
  reason: string
  about: GuideTopic
}

export class ConnectionLostError extends Error {
  constructor() {
    super('The connection was lost before the answer was complete.')
    this.name = 'ConnectionLostError'
  }
}

export class RunStoppedError extends Error {
  override readonly name = 'RunStoppedError'
}

export class RunFailedError extends Error {
  override readonly name = 'RunFailedError'
}

export function describeFailure(text: string): RunFailure {
  if (/\bbudget of \$/i.test(text)) {
    return {
      title: 'Budget spent',
      advice: 'No model is called until then. Usage shows what was spent.',
      reason: text,
      about: 'budget',
    }
  }
  if (/quota|429/i.test(text)) {
    return {
      title: 'API Quota Exceeded',
      advice: 'The service quota is exceeded. Check your plan or retry later, or choose another model.',
      reason: text,
      about: 'modelQuota',
    }
  }
  if (/api key|401/i.test(text)) {
    return {
      title: 'API Key Error',
      advice:
        'The key is missing or was refused. Choose another model, or ask an administrator to set the key.',
      ownAdvice:
        'The key is missing or was refused. Choose another model, or set the key in Settings → Models.',
      reason: text,
      about: 'modelKey',
    }
  }
  return {
    title: 'Error executing prompt',
    advice: 'Run it again, or choose another model.',
    reason: text,
    about: 'failedRun',
  }
}

/** Explains an error of a run; a signed-out person is asked to log in, rather than told of a wrong model key. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof ApiError && error.status === 401) {
    return {
      title: 'Authentication Required',
      advice: 'You are signed out. Log in again, then run it once more.',
      reason: error.text,
      about: 'failedRun',
    }
  }
  const names = privateNamesOf(error)
  if (names !== null) {
    return {
      title: `Yours, private: ${names.join(', ')}`,
      advice: 'Reload the page. It will mark the values that are private to you, and Execute fills them in.',
      reason: error instanceof ApiError ? error.text : '',
      about: 'failedRun',
    }
  }
  if (error instanceof RunFailedError) return describeFailure(error.message)
  if (error instanceof ConnectionLostError || isNetworkFailure(error)) {
    const reason = error instanceof RequestTimeoutError ? error.message : new ConnectionLostError().message
    return {
      title: 'Error executing prompt',
      advice: 'What had arrived is kept here. Run it again.',
      reason,
      about: 'noAnswer',
    }
  }
  if (error instanceof ApiError) return { ...describeFailure(error.message), reason: error.text }
  return describeFailure(errorReason(error))
}

import { stepTitle } from '@catenary/domain'
import { toDatabaseFailure } from '../../../database/failures/database-failure.ts'
import { AppError } from '../../../errors.ts'
import type { RunFailure, RunFailureCode } from '../../runs/runs.ts'
import { TokenLimitError } from '../../tokens/tokens.ts'

export type GatewayErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'unknown_url'
  | 'wrong_method'
  | 'conflict'
  | 'too_large'
  | 'unsupported_type'
  | 'unprocessable'
  | 'chain_failed'
  | 'run_waiting'
  | 'rate'
  | 'quota'
  | 'overloaded'
  | 'internal'

interface GatewayErrorOptions {
  param?: string | undefined
  /** In seconds. */
  retryAfter?: number | undefined
  isFinal?: boolean
  cause?: unknown
}

const PASSING: ReadonlySet<GatewayErrorKind> = new Set(['rate', 'overloaded', 'internal'])

export class GatewayError extends Error {
  readonly kind: GatewayErrorKind
  readonly param: string | undefined
  readonly retryAfter: number | undefined
  /** A client's retry by itself could do no good, or would be paid again. */
  readonly isFinal: boolean

  constructor(kind: GatewayErrorKind, message: string, options: GatewayErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.param = options.param
    this.retryAfter = options.retryAfter
    this.isFinal = options.isFinal ?? !PASSING.has(kind)
  }
}

/** What a request asks for and can't have, by its name (D43). */
export function refused(param: string, why: string): GatewayError {
  return new GatewayError('invalid', `${param}: ${why}`, { param })
}

const KINDS: Partial<Record<AppError['code'], GatewayErrorKind>> = {
  invalid: 'invalid',
  unsupported_type: 'unsupported_type',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  not_found: 'not_found',
  conflict: 'conflict',
  key_reused: 'conflict',
  too_large: 'too_large',
  too_many: 'rate',
  unavailable: 'overloaded',
}

export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof TokenLimitError && error.limit === 'budget')
    return new GatewayError('quota', error.message)
  const known = error instanceof AppError ? error : toDatabaseFailure(error)
  if (known === undefined)
    return new GatewayError('internal', 'Something went wrong on the server', { cause: error })
  const { code, message, retryAfter, details } = known
  return new GatewayError(KINDS[code] ?? 'internal', message, { retryAfter, param: paramOf(details) })
}

function paramOf(details: unknown): string | undefined {
  const [first] = Array.isArray(details) ? details : []
  const { path } = Object(first) as { path?: unknown }
  return typeof path === 'string' ? path : undefined
}

/**
 * What a run's failure is where no step had completed; a vendor's refusal is not the caller's mistake. What was answered
 * before it failed, or may have been, is paid: no client may repeat that by itself (D73).
 */
export const RUN_FAILURES: Readonly<Record<RunFailureCode, GatewayErrorKind>> = {
  input_empty: 'invalid',
  input_too_long: 'invalid',
  value_missing: 'unprocessable',
  private_values: 'unprocessable',
  condition_unreadable: 'unprocessable',
  value_would_leave: 'unprocessable',
  too_many_items: 'unprocessable',
  stopped_by_step: 'chain_failed',
  ask_rejected: 'chain_failed',
  tool_failed: 'chain_failed',
  tool_unsure: 'chain_failed',
  run_waiting: 'run_waiting',
  model_not_configured: 'overloaded',
  model_key: 'overloaded',
  model_quota: 'rate',
  model_unavailable: 'overloaded',
  model_timeout: 'overloaded',
  model_malformed: 'overloaded',
  model_too_long: 'overloaded',
  model_refused: 'overloaded',
  model_rejected: 'overloaded',
  model_unable: 'invalid',
  model_unpriced: 'forbidden',
  model_forbidden: 'forbidden',
  answer_invalid: 'chain_failed',
  answer_cut: 'chain_failed',
  aborted: 'chain_failed',
  cancelled: 'chain_failed',
  server_stopped: 'overloaded',
  server_broke_off: 'chain_failed',
  lost: 'chain_failed',
  internal: 'chain_failed',
  budget_spent: 'quota',
  account_disabled: 'forbidden',
}

const HOW_IT_ENDED: Partial<Record<RunFailureCode, string>> = {
  stopped_by_step: 'ended the run',
  ask_rejected: 'ended the run',
  run_waiting: 'asks people',
}

export function toRunError({ code, message, step, isPassing, retryAfterMs }: RunFailure): GatewayError {
  const how = HOW_IT_ENDED[code] ?? 'failed'
  const text = step ? `Step ${step.position + 1} “${stepTitle(step)}” ${how}: ${message}` : message
  // A later release may have stored a code that this one does not know.
  const known = Object.hasOwn(RUN_FAILURES, code) ? RUN_FAILURES[code] : 'chain_failed'
  const kind = step && step.position > 0 && known !== 'run_waiting' ? 'chain_failed' : known
  if (kind === 'chain_failed' || kind === 'run_waiting') return new GatewayError(kind, text)
  const retryAfter = isPassing && retryAfterMs !== undefined ? retryAfterMs / 1_000 : undefined
  return new GatewayError(kind, text, { isFinal: !isPassing, retryAfter })
}

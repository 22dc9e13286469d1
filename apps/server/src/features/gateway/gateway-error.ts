import { toDatabaseFailure } from '../../database-failure.ts'
import { AppError } from '../../errors.ts'
import type { RunFailure } from '../executions/executions.service.ts'
import { TokenLimitError } from '../tokens/token-grants.service.ts'

/** What went wrong, before each vendor's words for it. */
export type GatewayErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate'
  | 'quota'
  | 'overloaded'
  | 'timeout'
  | 'internal'

interface GatewayErrorOptions {
  /** The field that it is about. */
  param?: string | undefined
  /** In seconds. */
  retryAfter?: number | undefined
  /** A chain had started: a client that tries again by itself would pay twice. */
  started?: boolean
  cause?: unknown
}

/** A failure of a call of the compatible API. */
export class GatewayError extends Error {
  readonly kind: GatewayErrorKind
  readonly param: string | undefined
  readonly retryAfter: number | undefined
  readonly started: boolean

  constructor(kind: GatewayErrorKind, message: string, options: GatewayErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.param = options.param
    this.retryAfter = options.retryAfter
    this.started = options.started ?? false
  }

  /** A client's retry by itself could do no good. */
  get isFinal(): boolean {
    return this.started || this.kind === 'quota' || this.kind === 'conflict'
  }
}

/** What a request asks for and can't have, by its name (D43). */
export function refused(param: string, why: string): GatewayError {
  return new GatewayError('invalid', `${param}: ${why}`, { param })
}

const KINDS: Partial<Record<AppError['code'], GatewayErrorKind>> = {
  invalid: 'invalid',
  unsupported_type: 'invalid',
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
  return new GatewayError(KINDS[known.code] ?? 'internal', known.message, { retryAfter: known.retryAfter })
}

const FAILURES: Record<string, GatewayErrorKind> = {
  input_empty: 'invalid',
  input_too_long: 'invalid',
  model_rejected: 'invalid',
  model_refused: 'invalid',
  model_quota: 'rate',
  budget_spent: 'quota',
  model_unpriced: 'forbidden',
  model_unavailable: 'overloaded',
  server_stopped: 'overloaded',
  model_timeout: 'timeout',
  account_disabled: 'forbidden',
}

/** Why a run came to no answer. */
export function toRunError({ code, message }: RunFailure): GatewayError {
  return new GatewayError(FAILURES[code] ?? 'internal', message, { started: true })
}

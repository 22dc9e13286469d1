import type { GatewayError, GatewayErrorKind } from '../gateway-error.ts'
import type { ErrorReply } from './wire.ts'

const ERRORS: Record<GatewayErrorKind, { status: number; type: string }> = {
  invalid: { status: 400, type: 'invalid_request_error' },
  unauthenticated: { status: 401, type: 'authentication_error' },
  forbidden: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'not_found_error' },
  unknown_url: { status: 404, type: 'not_found_error' },
  wrong_method: { status: 405, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  too_large: { status: 413, type: 'request_too_large' },
  unsupported_type: { status: 415, type: 'invalid_request_error' },
  unprocessable: { status: 422, type: 'invalid_request_error' },
  // Claude Code asks again after a 400, Codex after anything else: each wire has the status that its clients take as final.
  chain_failed: { status: 403, type: 'api_error' },
  run_waiting: { status: 403, type: 'api_error' },
  rate: { status: 429, type: 'rate_limit_error' },
  quota: { status: 429, type: 'rate_limit_error' },
  overloaded: { status: 503, type: 'api_error' },
  internal: { status: 500, type: 'api_error' },
}

export function anthropicError({ kind, message }: GatewayError): ErrorReply {
  const { status, type } = ERRORS[kind]
  // Beside the vendor's fields: the status alone would read as the caller's fault.
  const named = kind === 'chain_failed' || kind === 'run_waiting' ? { code: kind } : {}
  return { status, body: { type: 'error', error: { type, message, ...named } } }
}

import type { GatewayError, GatewayErrorKind } from '../gateway-error.ts'
import type { ErrorReply } from './wire.ts'

interface OpenaiError {
  status: number
  type: string
  code: string | null
}

const INVALID = 'invalid_request_error'
const ERRORS: Record<GatewayErrorKind, OpenaiError> = {
  invalid: { status: 400, type: INVALID, code: null },
  unauthenticated: { status: 401, type: INVALID, code: 'invalid_api_key' },
  forbidden: { status: 403, type: INVALID, code: 'permission_denied' },
  not_found: { status: 404, type: INVALID, code: 'model_not_found' },
  unknown_url: { status: 404, type: INVALID, code: 'unknown_url' },
  wrong_method: { status: 405, type: INVALID, code: 'method_not_supported' },
  conflict: { status: 409, type: INVALID, code: 'conflict' },
  too_large: { status: 413, type: INVALID, code: 'request_too_large' },
  unsupported_type: { status: 415, type: INVALID, code: 'unsupported_media_type' },
  unprocessable: { status: 422, type: INVALID, code: 'unprocessable' },
  // OpenCode retries on 'server_error', whatever the status.
  chain_failed: { status: 400, type: 'api_error', code: 'chain_failed' },
  rate: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  quota: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  overloaded: { status: 503, type: 'server_error', code: 'server_overloaded' },
  internal: { status: 500, type: 'server_error', code: null },
}

export function openaiErrorFields({ kind, message, param }: GatewayError) {
  const { type, code } = ERRORS[kind]
  const isOfPrompt = kind === 'not_found' && param?.startsWith('prompt')
  return { message, type, param: param ?? null, code: isOfPrompt ? 'prompt_not_found' : code }
}

/** The same in a stream, which has no status: the AI SDK reads it from the code, and would ask again without one. */
export function openaiEventFields(error: GatewayError) {
  const fields = openaiErrorFields(error)
  return error.kind === 'chain_failed' ? { ...fields, code: `${ERRORS.chain_failed.status}` } : fields
}

/** As OpenAI's API reports an error. */
export function openaiError(error: GatewayError): ErrorReply {
  return { status: ERRORS[error.kind].status, body: { error: openaiErrorFields(error) } }
}

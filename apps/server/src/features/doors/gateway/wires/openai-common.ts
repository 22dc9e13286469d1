import * as z from 'zod'
import type { AnswerBounds } from '../../../runs/runs.ts'
import { type GatewayError, type GatewayErrorKind, refused } from '../gateway-error.ts'
import type { ErrorReply } from './wire.ts'

/** A choice that leaves it to the model is a hint; one that forces a call is not. */
export function refuseForcedTool({ param, value }: { param: string; value: unknown }): void {
  if (value === undefined || value === null || value === 'auto' || value === 'none') return
  const asked = typeof value === 'string' ? value : 'a named tool'
  throw refused(param, `${asked} is not supported: a chain can’t call its caller’s tools`)
}

const jsonSchema = z.looseObject({ schema: z.record(z.string(), z.unknown()) })

/** The JSON schema of the answer, of just any JSON that of an object; throws for formats other than text and JSON. */
export function readResponseFormat({
  param,
  value,
}: {
  param: string
  value: unknown
}): AnswerBounds['schema'] {
  if (value === undefined || value === null) return undefined
  const { type, ...format } = z.looseObject({ type: z.string() }).catch({ type: 'this form' }).parse(value)
  if (type === 'text') return undefined
  if (type === 'json_object') return { schema: { type: 'object' }, param }
  // On chat the schema is a field of its own, on responses it stands beside the type.
  const parsed = type === 'json_schema' ? jsonSchema.safeParse(format.json_schema ?? format) : undefined
  if (!parsed?.success)
    throw refused(param, `${type} is not supported: only text, json_object, or json_schema with a schema`)
  return { schema: parsed.data.schema, param }
}

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
  run_waiting: { status: 400, type: 'api_error', code: 'run_waiting' },
  rate: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  quota: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  overloaded: { status: 503, type: 'server_error', code: 'server_overloaded' },
  internal: { status: 500, type: 'server_error', code: null },
}

export function openaiErrorFields({ kind, message, param }: GatewayError) {
  const { type, code } = ERRORS[kind]
  const missing = kind === 'not_found' ? NOT_FOUND.find(([of]) => param?.startsWith(of)) : undefined
  return { message, type, param: param ?? null, code: missing?.[1] ?? code }
}

/** By the field that names what is not there; else it is a model. */
const NOT_FOUND = [
  ['prompt', 'prompt_not_found'],
  ['response_id', 'response_not_found'],
] as const

/** The same in a stream, which has no status: the AI SDK reads it from the code, and would ask again without one. */
export function openaiEventFields(error: GatewayError) {
  const fields = openaiErrorFields(error)
  const isFinal = error.kind === 'chain_failed' || error.kind === 'run_waiting'
  return isFinal ? { ...fields, code: `${ERRORS[error.kind].status}` } : fields
}

export function openaiError(error: GatewayError): ErrorReply {
  return { status: ERRORS[error.kind].status, body: { error: openaiErrorFields(error) } }
}

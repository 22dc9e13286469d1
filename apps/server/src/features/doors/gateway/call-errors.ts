import { addressOf } from '@catenary/contracts'
import { toAppError } from '../../../platform/http/errors/errors.ts'
import type { HttpError, HttpReply, HttpRequest } from '../../../platform/http/routes.ts'
import { GatewayError, toGatewayError } from './gateway-error.ts'
import { anthropicError } from './wires/anthropic-error.ts'
import { anthropicMessages } from './wires/anthropic-messages.ts'
import { openaiChat } from './wires/openai-chat.ts'
import { openaiError } from './wires/openai-common.ts'
import { openaiResponses } from './wires/openai-responses.ts'

export const PREFIX = '/v1'
const POSTED: ReadonlySet<string> = new Set([
  ...[anthropicMessages, openaiChat, openaiResponses].map(({ path }) => path),
  addressOf('POST /v1/messages/count_tokens', {}),
  addressOf('POST /v1/route', {}),
])
const RESPONSE = /^\/v1\/responses\/[^/]+(\/cancel)?$/
const READ = /^\/v1\/models(\/[^/]+)?$/
const OPENAI_PATH = /^\/v1\/(chat|responses)(\/|$)/

interface FailedCall {
  error: HttpError | GatewayError
  request: HttpRequest
  reply: HttpReply
}

export const pathOf = ({ url }: HttpRequest): string => url.split('?', 1)[0] ?? ''

/** Which vendor's client asks: by the path where it is one's own, else by the header that the other never sends. */
export function isAnthropic(request: HttpRequest): boolean {
  const path = pathOf(request)
  if (path.startsWith(anthropicMessages.path)) return true
  return request.headers['anthropic-version'] !== undefined && !OPENAI_PATH.test(path)
}

export function routeNotFound(request: HttpRequest, reply: HttpReply): GatewayError {
  const path = pathOf(request)
  const asked = `${request.method} ${path}`
  const method = methodOf(path)
  if (method === undefined) return new GatewayError('unknown_url', `There is nothing at ${asked}.`)
  reply.header('allow', method)
  return new GatewayError('wrong_method', `${asked} is not supported: send ${method.split(',', 1)[0]}.`)
}

function methodOf(path: string): string | undefined {
  const [response, cancel] = RESPONSE.exec(path) ?? []
  if (POSTED.has(path) || cancel) return 'POST'
  if (response) return 'GET, HEAD, DELETE'
  return READ.test(path) ? 'GET, HEAD' : undefined
}

/** In the form of the vendor whose client asks. */
export function sendCallError({ error, request, reply }: FailedCall): HttpReply {
  const failure = toGatewayError(error instanceof GatewayError ? error : (toAppError(error) ?? error))
  if (failure.kind === 'internal' && !failure.isFinal) request.log.error({ err: error }, 'request failed')
  if (failure.isFinal) reply.header('x-should-retry', 'false')
  if (failure.retryAfter !== undefined) reply.header('retry-after', Math.ceil(failure.retryAfter))
  const { status, body } = isAnthropic(request) ? anthropicError(failure) : openaiError(failure)
  const named = isAnthropic(request) ? { ...body, request_id: request.id } : body
  return reply.code(status).send(named)
}

/** The same for an address that reaches no route; false outside the gateway. */
export function answerUnroutableCall(failed: FailedCall): boolean {
  if (!failed.request.url.startsWith(`${PREFIX}/`)) return false
  sendCallError(failed)
  return true
}

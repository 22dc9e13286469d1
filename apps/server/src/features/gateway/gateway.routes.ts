import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { toAppError } from '../../platform/http/errors.ts'
import { abortOnDisconnect, HEARTBEAT_MS, sendFrames } from '../../platform/http/event-stream.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import type { GatewayService } from './gateway.service.ts'
import type { GatewayAnswer } from './gateway-answer.ts'
import { GatewayError, toGatewayError } from './gateway-error.ts'
import { anthropicError } from './wires/anthropic-error.ts'
import { anthropicMessages, readCountRequest } from './wires/anthropic-messages.ts'
import { modelList, oneModel } from './wires/models.ts'
import { openaiChat } from './wires/openai-chat.ts'
import { openaiError } from './wires/openai-error.ts'
import { openaiResponses } from './wires/openai-responses.ts'
import type { ClientWire, ReplyEvent } from './wires/wire.ts'

/** Coding agents send their whole conversation, and a dozen tools with it. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024
const KEY_IN_QUERY = /(^|[-_])(key|token|authorization|secret)$/i
const TOKEN_FORM = /^ct[bcr]_/
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/
const DEPTH = /^\d$/

const WIRES = [anthropicMessages, openaiChat, openaiResponses]
/** Cookies count for nothing here, so that no site can borrow a session; hidden, as their forms are the vendors'. */
const ROUTE = {
  bodyLimit: BODY_LIMIT_BYTES,
  config: { crossSiteCheck: false, idempotency: 'off' as const },
  schema: { hide: true },
}

/** The compatible API: each vendor's paths, forms and errors. */
export function gatewayRoutes({ gateway }: { gateway: GatewayService }): Routes {
  return (app) => {
    void app.register(
      async (v1) => {
        v1.setErrorHandler((error: FastifyError, request, reply) => sendError({ error, request, reply }))
        v1.setNotFoundHandler((request, reply) => {
          const error = new GatewayError(
            'not_found',
            `There is nothing at ${request.method} ${pathOf(request)}`,
          )
          return sendError({ error, request, reply })
        })
        // Before a body is read: a stranger's may be large.
        v1.addHook('onRequest', async (request, reply) => {
          if (isAnthropic(request)) reply.header('request-id', request.id)
          await gateway.requireToken(tokenOf(request), { path: pathOf(request) })
        })
        for (const wire of WIRES) answerRoute(v1, { gateway, wire })
        otherRoutes(v1, gateway)
      },
      { prefix: '/v1' },
    )
  }
}

function answerRoute(v1: HttpApp, { gateway, wire }: { gateway: GatewayService; wire: ClientWire }): void {
  v1.post(wire.path.slice('/v1'.length), ROUTE, async (request, reply) => {
    const asked = wire.read(request.body)
    asked.ignored.push(...ignoredHeaders(request))
    const answer = await gateway.answer({
      token: tokenOf(request),
      request: asked,
      path: wire.path,
      depth: depthOf(request),
      key: keyOf(request),
      requestId: request.id,
      signal: abortOnDisconnect(reply),
    })
    setAnswerHeaders(reply, answer)
    if (!asked.stream) return reply.send(wire.reply({ head: answer.head, answer: await answer.whole() }))
    const events = await begin(answer.events())
    return sendFrames(reply, {
      frames: wire.frames({ head: answer.head, events }),
      heartbeat: wire.heartbeat,
    })
  })
}

function otherRoutes(v1: HttpApp, gateway: GatewayService): void {
  v1.post('/messages/count_tokens', ROUTE, async (request, reply) => {
    const inputTokens = gateway.countTokens(readCountRequest(request.body))
    return reply.header('x-catenary-estimate', 'true').send({ input_tokens: inputTokens })
  })

  v1.post('/route', ROUTE, async (request, reply) => {
    const asked = openaiChat.read({ model: 'best-chain', ...Object(request.body) })
    const choice = await gateway.route({
      token: tokenOf(request),
      request: asked,
      signal: abortOnDisconnect(reply),
    })
    return { best_chain: choice.reply, question: choice.question ?? null }
  })

  v1.get('/models', ROUTE, async (request) =>
    modelList({
      models: await gateway.listModels(tokenOf(request)),
      query: request.query,
      isAnthropic: isAnthropic(request),
    }),
  )

  v1.get<{ Params: { model: string } }>('/models/:model', ROUTE, async (request) => {
    const model = await gateway.findModel(tokenOf(request), request.params.model)
    return oneModel({ model, isAnthropic: isAnthropic(request) })
  })
}

/**
 * Waits for the first event, so that a call that fails before it is answered with its status; not longer than a client
 * waits for a sign of life.
 */
async function begin(events: AsyncGenerator<ReplyEvent>): Promise<AsyncIterable<ReplyEvent>> {
  const first = events.next()
  const waiting = new AbortController()
  const silence = delay(HEARTBEAT_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
  const begun = await Promise.race([first, silence])
  waiting.abort()
  if (begun?.done === false && begun.value.type === 'failed') throw begun.value.error
  return goOn(first, events)
}

/** All events; who reads no further stops following the run. */
async function* goOn(
  first: Promise<IteratorResult<ReplyEvent>>,
  events: AsyncGenerator<ReplyEvent>,
): AsyncGenerator<ReplyEvent> {
  try {
    for (let next = await first; next.done !== true; next = await events.next()) yield next.value
  } finally {
    await events.return(undefined)
  }
}

function setAnswerHeaders(reply: FastifyReply, { head, executionId }: GatewayAnswer): void {
  const { request, bestChain } = head
  if (request.ignored.length > 0) reply.header('x-catenary-ignored', request.ignored.join(', '))
  if (executionId !== undefined) reply.header('x-catenary-execution', `${executionId}`)
  if (bestChain !== undefined) {
    if ('selected_chain_id' in bestChain) {
      reply.header('x-selected-chain-id', `${bestChain.selected_chain_id}`)
    }
    reply.header('x-selection-confidence', `${bestChain.confidence ?? 1}`)
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

/** Which vendor's client asks: by the path where it is one's own, else by the header that the other never sends. */
function isAnthropic(request: FastifyRequest): boolean {
  const path = pathOf(request)
  if (path.startsWith(anthropicMessages.path)) return true
  return path.startsWith('/v1/models') && request.headers['anthropic-version'] !== undefined
}

/** Of either vendor's header; throws where one stands in the address, which logs keep. */
function tokenOf(request: FastifyRequest): string | undefined {
  for (const [name, value] of Object.entries(Object(request.query))) {
    if (KEY_IN_QUERY.test(name) || TOKEN_FORM.test(String(value))) {
      const why = 'Send the token in the header Authorization or x-api-key, never in the address.'
      throw new GatewayError('unauthenticated', why)
    }
  }
  const { authorization, 'x-api-key': apiKey } = request.headers
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return bearer ?? (typeof apiKey === 'string' ? apiKey : undefined)
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key
  throw new GatewayError('invalid', 'Idempotency-Key must be 1–200 visible ASCII characters.')
}

/** What does not come from a chain counts as the first call. */
function depthOf({ headers }: FastifyRequest): number {
  const depth = headers['x-catenary-depth']
  return typeof depth === 'string' && DEPTH.test(depth) ? Number(depth) : 0
}

const ignoredHeaders = ({ headers }: FastifyRequest): string[] =>
  ['anthropic-beta', 'openai-beta'].filter((name) => headers[name] !== undefined)

function sendError({
  error,
  request,
  reply,
}: {
  error: FastifyError | GatewayError
  request: FastifyRequest
  reply: FastifyReply
}): FastifyReply {
  const failure = toGatewayError(error instanceof GatewayError ? error : (toAppError(error) ?? error))
  if (failure.kind === 'internal' && !failure.started) request.log.error({ err: error }, 'request failed')
  if (failure.isFinal) reply.header('x-should-retry', 'false')
  if (failure.retryAfter !== undefined) reply.header('retry-after', Math.ceil(failure.retryAfter))
  const { status, body } = isAnthropic(request) ? anthropicError(failure) : openaiError(failure)
  const named = isAnthropic(request) ? { ...body, request_id: request.id } : body
  return reply.code(status).send(named)
}

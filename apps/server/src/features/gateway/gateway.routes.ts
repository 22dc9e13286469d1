import { setTimeout as delay } from 'node:timers/promises'
import type { User } from '@catenary/contracts'
import type { FastifyError, FastifyReply } from 'fastify'
import { clientOf } from '../../platform/http/client-name.ts'
import { abortOnDisconnect, HEARTBEAT_MS, sendFrames } from '../../platform/http/event-stream.ts'
import type { HttpApp, HttpReply, HttpRequest, Routes } from '../../platform/http/routes.ts'
import {
  COUNT_PATH,
  isAnthropic,
  PREFIX,
  pathOf,
  ROUTE_PATH,
  routeNotFound,
  sendCallError,
  WIRES,
} from './call-errors.ts'
import { depthOf, ignoredHeaders, keyOf, resumedOf, tokenOf } from './call-headers.ts'
import type { GatewayAnswer } from './gateway-answer.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import { answerCall, requireToken } from './operations/answer-call.ts'
import { chooseChain } from './operations/find-chain.ts'
import { findModel, listModels } from './operations/read-models.ts'
import { readCountRequest } from './wires/anthropic-messages.ts'
import { modelList, modelReply } from './wires/models.ts'
import { openaiChat } from './wires/openai-chat.ts'
import { type ClientWire, estimateInput, type ReplyEvent } from './wires/wire.ts'

/** Coding agents send their whole conversation, and a dozen tools with it. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024

/** Cookies count for nothing here, so that no site can borrow a session; hidden, as their forms are the vendors'. */
const ROUTE = {
  bodyLimit: BODY_LIMIT_BYTES,
  config: {
    crossSiteCheck: false,
    idempotency: 'off' as const,
    readLimit: 'begin' as const,
    // What it runs has the limits of its token.
    writes: 'unlimited' as const,
  },
  schema: { hide: true },
}

const READ_ROUTE = { ...ROUTE, config: { ...ROUTE.config, readLimit: 'whole' as const } }

/** The compatible API: each vendor's paths, forms and errors. */
export function gatewayRoutes(deps: GatewayDeps): Routes {
  return (app) => {
    void app.register(
      async (v1) => {
        v1.setErrorHandler((error: FastifyError, request, reply) => sendCallError({ error, request, reply }))
        v1.setNotFoundHandler((request, reply) =>
          sendCallError({ error: routeNotFound(request, reply), request, reply }),
        )
        for (const wire of WIRES) answerRoute(v1, { deps, wire })
        otherRoutes(v1, deps)
        // The web app's files take each address that is read; these are never among them.
        for (const url of ['', '/*']) v1.get(url, ROUTE, throwNotFound)
      },
      { prefix: PREFIX },
    )
  }
}

function throwNotFound(request: HttpRequest, reply: HttpReply): never {
  if (isAnthropic(request)) reply.header('request-id', request.id)
  throw routeNotFound(request, reply)
}

/** Whose token a call shows, before its body is read. */
export async function admitCall(deps: GatewayDeps, request: HttpRequest, reply: HttpReply): Promise<User> {
  if (isAnthropic(request)) reply.header('request-id', request.id)
  return requireToken(deps, { token: tokenOf(request), path: pathOf(request) })
}

function answerRoute(v1: HttpApp, { deps, wire }: { deps: GatewayDeps; wire: ClientWire }): void {
  v1.post(within(wire.path), ROUTE, async (request, reply) => {
    const asked = wire.read(request.body)
    asked.ignored.push(...ignoredHeaders(request))
    const answer = await answerCall(deps, {
      token: tokenOf(request),
      request: asked,
      path: wire.path,
      client: clientOf(request),
      depth: depthOf(request),
      key: keyOf(request),
      resumed: resumedOf(request),
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

function otherRoutes(v1: HttpApp, deps: GatewayDeps): void {
  v1.post(within(COUNT_PATH), ROUTE, async (request, reply) => {
    const inputTokens = estimateInput(readCountRequest(request.body))
    return reply.header('x-catenary-estimate', 'true').send({ input_tokens: inputTokens })
  })

  v1.post(within(ROUTE_PATH), ROUTE, async (request, reply) => {
    const { body } = request
    const asked = openaiChat.read(Array.isArray(body) ? body : { model: 'best-chain', ...Object(body) })
    const choice = await chooseChain(deps, {
      token: tokenOf(request),
      request: asked,
      signal: abortOnDisconnect(reply),
    })
    return { best_chain: choice.reply, question: choice.question ?? null }
  })

  v1.get('/models', READ_ROUTE, async (request) =>
    modelList({
      models: await listModels(deps, tokenOf(request)),
      query: request.query,
      isAnthropic: isAnthropic(request),
    }),
  )

  v1.get<{ Params: { model: string } }>('/models/:model', READ_ROUTE, async (request) => {
    const model = await findModel(deps, { token: tokenOf(request), wanted: request.params.model })
    return modelReply({ model, isAnthropic: isAnthropic(request) })
  })
}

/**
 * Waits for the first event, so that an early failure is answered with its status; at most as long as a client waits
 * for a sign of life.
 */
async function begin(events: AsyncGenerator<ReplyEvent>): Promise<AsyncIterable<ReplyEvent>> {
  const first = events.next()
  const waiting = new AbortController()
  const silence = delay(HEARTBEAT_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
  const begun = await Promise.race([first, silence])
  waiting.abort()
  if (begun?.done === false && begun.value.type === 'failed') throw begun.value.error
  return prepend(first, events)
}

/** All events; a reader that stops reading stops following the run. */
async function* prepend(
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

const within = (path: string): string => path.slice(PREFIX.length)

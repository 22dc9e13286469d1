import { setTimeout as delay } from 'node:timers/promises'
import { gatewayApi, type User } from '@catenary/contracts'
import type { FastifyError, FastifyReply } from 'fastify'
import { clientOf } from '../../platform/http/client-name.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { HEARTBEAT_MS, sendFrames } from '../../platform/http/event-stream.ts'
import type { HttpReply, HttpRequest, Routes } from '../../platform/http/routes.ts'
import { isAnthropic, PREFIX, pathOf, routeNotFound, sendCallError } from './call-errors.ts'
import { depthOf, ignoredHeaders, keyOf, resumedOf, tokenOf } from './call-headers.ts'
import type { GatewayAnswer } from './gateway-answer.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import type { GatewayError } from './gateway-error.ts'
import { answerCall, requireToken } from './operations/answer-call.ts'
import { chooseChain } from './operations/find-chain.ts'
import { findModel, listModels } from './operations/read-models.ts'
import { anthropicMessages, readCountRequest } from './wires/anthropic-messages.ts'
import { modelList, modelReply } from './wires/models.ts'
import { openaiChat } from './wires/openai-chat.ts'
import { openaiResponses } from './wires/openai-responses.ts'
import { type ClientWire, estimateInput, type ReplyEvent } from './wires/wire.ts'

/** The compatible API: each vendor's paths, forms and errors. */
export function gatewayRoutes(deps: GatewayDeps): Routes {
  const serve = handlers(gatewayApi, {
    'POST /v1/messages': (_, call) => answer(deps, anthropicMessages, call),
    'POST /v1/messages/count_tokens': (_, { request, reply }) => {
      const inputTokens = estimateInput(readCountRequest(request.body))
      return reply.header('x-catenary-estimate', 'true').send({ input_tokens: inputTokens })
    },
    'POST /v1/chat/completions': (_, call) => answer(deps, openaiChat, call),
    'POST /v1/responses': (_, call) => answer(deps, openaiResponses, call),
    'POST /v1/route': async (_, { request, signal }) => {
      const { body } = request
      const asked = openaiChat.read(Array.isArray(body) ? body : { model: 'best-chain', ...Object(body) })
      const choice = await chooseChain(deps, { token: tokenOf(request), request: asked, signal })
      return { best_chain: choice.reply, question: choice.question ?? null }
    },
    'GET /v1/models': async (_, { request }) =>
      modelList({
        models: await listModels(deps, tokenOf(request)),
        query: request.query,
        isAnthropic: isAnthropic(request),
      }),
    'GET /v1/models/{model}': async (_, { params, request }) => {
      const model = await findModel(deps, { token: tokenOf(request), wanted: params.model })
      return modelReply({ model, isAnthropic: isAnthropic(request) })
    },
  })
  return (app, edge) => {
    void app.register(async (calls) => {
      calls.setErrorHandler(sendError)
      serve(calls, edge)
    })
    void app.register(
      async (others) => {
        others.setErrorHandler(sendError)
        others.setNotFoundHandler((request, reply) =>
          sendError(routeNotFound(request, reply), request, reply),
        )
        // The web app's files take each address that is read; these are never among them.
        for (const url of ['', '/*']) others.get(url, OTHER, throwNotFound)
      },
      { prefix: PREFIX },
    )
  }
}

const OTHER = { config: { crossSiteCheck: false, readLimit: 'begin' as const }, schema: { hide: true } }

const sendError = (error: FastifyError | GatewayError, request: HttpRequest, reply: HttpReply) =>
  sendCallError({ error, request, reply })

function throwNotFound(request: HttpRequest, reply: HttpReply): never {
  if (isAnthropic(request)) reply.header('request-id', request.id)
  throw routeNotFound(request, reply)
}

/** Whose token a call shows, before its body is read. */
export async function admitCall(deps: GatewayDeps, request: HttpRequest, reply: HttpReply): Promise<User> {
  if (isAnthropic(request)) reply.header('request-id', request.id)
  return requireToken(deps, { token: tokenOf(request), path: pathOf(request) })
}

async function answer(
  deps: GatewayDeps,
  wire: ClientWire,
  { request, reply, signal }: { request: HttpRequest; reply: HttpReply; signal: AbortSignal },
) {
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
    signal,
  })
  setAnswerHeaders(reply, answer)
  if (!asked.stream) return reply.send(wire.reply({ head: answer.head, answer: await answer.whole() }))
  const events = await begin(answer.events())
  return sendFrames(reply, {
    frames: wire.frames({ head: answer.head, events }),
    heartbeat: wire.heartbeat,
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

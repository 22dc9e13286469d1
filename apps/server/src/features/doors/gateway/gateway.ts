import { gatewayApi } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import type { HttpError, HttpReply, HttpRequest, Routes } from '../../../platform/http/routes.ts'
import { limitedModels } from '../../spending/spending.ts'
import { grantOf } from '../../tokens/tokens.ts'
import { cancelResponse, countWaitedCalls, deleteResponse, readResponse } from './background-calls.ts'
import { isAnthropic, PREFIX, routeNotFound, sendCallError } from './call-errors.ts'
import type { GatewayError } from './gateway-error.ts'
import { requireJudge } from './judge.ts'
import { chooseChain } from './operations/find-chain.ts'
import { findModel, listModels } from './operations/read-models.ts'
import { serveCall } from './serve-call.ts'
import { anthropicMessages, readCountRequest } from './wires/anthropic-messages.ts'
import { modelList, modelReply } from './wires/models.ts'
import { openaiChat } from './wires/openai-chat.ts'
import { openaiResponses } from './wires/openai-responses.ts'
import { estimateInput } from './wires/wire.ts'

export { COUNTED_LATER } from './background-calls.ts'
export { answerUnroutableCall } from './call-errors.ts'
export { endWithRun, limitedCall, startChainCall } from './chain-calls.ts'
export { GatewayError, toRunError } from './gateway-error.ts'
export { deleteExpiredCalls, followCall } from './idempotent-calls.ts'
export { admitCall, requireDepth } from './serve-call.ts'

const serveCalls = handlers(gatewayApi, {
  'POST /v1/messages': (ctx, call) => serveCall(ctx, { wire: anthropicMessages, ...call }),
  'POST /v1/messages/count_tokens': (_, { request, reply }) => {
    const inputTokens = estimateInput(readCountRequest(request.body))
    return reply.header('x-catenary-estimate', 'true').send({ input_tokens: inputTokens })
  },
  'POST /v1/chat/completions': (ctx, call) => serveCall(ctx, { wire: openaiChat, ...call }),
  'POST /v1/responses': (ctx, call) => serveCall(ctx, { wire: openaiResponses, ...call }),
  'GET /v1/responses/{id}': (ctx, { params, query, request }) =>
    readResponse(ctx, { grant: grantOf(request), name: params.id, query }),
  'POST /v1/responses/{id}/cancel': (ctx, { params, request }) =>
    cancelResponse(ctx, { grant: grantOf(request), name: params.id }),
  'DELETE /v1/responses/{id}': (ctx, { params, request }) =>
    deleteResponse(ctx, { grant: grantOf(request), name: params.id }),
  'POST /v1/route': async (ctx, { request, signal }) => {
    const asked = openaiChat.read(withBestChain(request.body))
    const choice = await chooseChain(ctx, { grant: grantOf(request), request: asked, signal })
    return { best_chain: choice.reply, question: choice.question ?? null }
  },
  'GET /v1/models': async (ctx, { request }) =>
    modelList({
      models: await listModels(ctx, grantOf(request)),
      query: request.query,
      isAnthropic: isAnthropic(request),
    }),
  'GET /v1/models/{model}': async (ctx, { params, request }) => {
    const model = await findModel(ctx, { grant: grantOf(request), wanted: params.model })
    return modelReply({ model, isAnthropic: isAnthropic(request) })
  },
})

/** Adds the model to the body itself: a copy of 100,000 fields costs more than what is done with them. */
function withBestChain(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || Object.hasOwn(body, 'model'))
    return body
  return Object.assign(body, { model: 'best-chain' })
}

const OTHER = { config: { crossSiteCheck: false, readLimit: 'begin' as const }, schema: { hide: true } }

export const serveGateway: Routes = (app, edge) => {
  void app.register(async (calls) => {
    calls.setErrorHandler(sendError)
    serveCalls(calls, edge)
  })
  void app.register(
    async (others) => {
      others.setErrorHandler(sendError)
      others.setNotFoundHandler((request, reply) => sendError(routeNotFound(request, reply), request, reply))
      // The web app's files take each address that is read; these are never among them.
      for (const url of ['', '/*']) others.get(url, OTHER, throwNotFound)
    },
    { prefix: PREFIX },
  )
}

const sendError = (error: HttpError | GatewayError, request: HttpRequest, reply: HttpReply) =>
  sendCallError({ error, request, reply })

function throwNotFound(request: HttpRequest, reply: HttpReply): never {
  if (isAnthropic(request)) reply.header('request-id', request.id)
  throw routeNotFound(request, reply)
}

/** Throws StartError where a setting of the gateway's is wrong. */
export function beginGateway(ctx: Context): void {
  countWaitedCalls(ctx)
  requireJudge({ models: limitedModels(ctx), judgeModel: ctx.settings.judgeModel })
}

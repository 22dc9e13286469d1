import {
  asksApi,
  chainRunSharesApi,
  chainRunsApi,
  promptRunSharesApi,
  promptRunsApi,
  ratingsApi,
  runHistoryApi,
  runSharesApi,
  runWatchingApi,
} from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { sendEventStream } from '../../platform/http/event-stream.ts'
import { toHeaders } from '../../platform/http/session.ts'
import { requireAllowed } from '../variables/variables.ts'
import { answerAsk } from './asks/answer-ask.ts'
import { answerUnsure } from './asks/answer-unsure.ts'
import { countWaitingAsks, listAsks, readAsk } from './asks/read-asks.ts'
import { listAskedSends } from './chain-runs/asked-sends.ts'
import { resumeChainRun, retryItems } from './chain-runs/resume-run.ts'
import { startChainRun } from './chain-runs/start-run.ts'
import { previewStep } from './from-earlier/preview-step.ts'
import { listSendsFrom, startFrom } from './from-earlier/start-from.ts'
import { cancelRun, deletePromptRuns, deleteRun } from './history/change-run.ts'
import {
  listLatestChainRuns,
  listRunsOfChain,
  listRunsOfPrompt,
  listRunsOfToken,
  readRunOfPrompt,
} from './history/list-runs.ts'
import { listRunItems, readRunItem } from './history/read-items.ts'
import { readRun, readRunFile, readRunState, readRunStep } from './history/read-run.ts'
import { toPromptEvents, toPromptReply } from './prompt-runs/prompt-run-reply.ts'
import { startPromptRun } from './prompt-runs/start-prompt-run.ts'
import { listRatings, rateRun, unrateRun } from './ratings/rate-runs.ts'
import { shareRun, shareRunsOf, showRunShare, unshareRun, unshareRunsOf } from './sharing/share-runs.ts'
import { watchRun } from './watching/watch-run.ts'

export { listAskedSends } from './chain-runs/asked-sends.ts'
export { type CalledRun, findCalledRun, followAskedRun, resumeCall } from './chain-runs/resume-call.ts'
export { followChainRun, NOT_GIVEN, startChainRun } from './chain-runs/start-run.ts'
export { reserveRunId } from './engine/new-runs.ts'
export type { AnswerBounds } from './engine/planned-step.ts'
export { refusePrivateNames } from './engine/private-values.ts'
export type {
  ChainRunHandle,
  RunAnswer,
  RunFailure,
  RunFailureCode,
  RunHandle,
  RunOutcome,
} from './engine/run-ending.ts'
export type { RunMessage } from './engine/run-input.ts'
export type { SentFile } from './engine/sent-files.ts'
export { stopRun } from './engine/stop-runs.ts'
export { presenceStatusOf } from './history/present-runs.ts'
export { readRun } from './history/read-run.ts'
export { startPromptRun } from './prompt-runs/start-prompt-run.ts'
export { onRunEnded, type RunEnded } from './run-ends.ts'
export { closeRuns, countRunsHere, endRuns, openRuns, startRuns } from './runs-here.ts'
export { awaitRun, readOutcome } from './watching/follow-run.ts'

const servePromptRuns = handlers(promptRunsApi, {
  'POST /api/execute-prompt': async (ctx, call) => {
    const { fills = [], ...body } = call.body
    const wanted = { user: call.user, request: body, allowed: { shown: fills } }
    const wantsStream = call.request.headers.accept?.includes('text/event-stream') ?? false
    if (!wantsStream) return toPromptReply(await startPromptRun(ctx, wanted))
    // Asked for only where leaving the stream is to stop the run.
    const stops = body.goesOn ? {} : { signal: call.signal }
    const run = await startPromptRun(ctx, { ...wanted, ...stops })
    return sendEventStream(call.reply, toPromptEvents(run))
  },
})

const serveChainRuns = handlers(chainRunsApi, {
  'GET /api/chains/{id}/sends': (ctx, { params: { id: chainId }, query: { executionId }, user }) =>
    executionId === undefined
      ? listAskedSends(ctx, { chainId, user })
      : listSendsFrom(ctx, { chainId, user, executionId }),
  'POST /api/chains/{id}/execute': async (ctx, { params, body, user }) => {
    const { input, variableValues: values = {}, fills = [], sends = [], from } = body ?? {}
    await requireAllowed(ctx, { typed: new Map(Object.entries(values)), user })
    const wanted = { user, chainId: params.id, allowed: { shown: fills }, sends, input, values }
    const { id, chainId, executedAt } = await (from
      ? startFrom(ctx, { ...wanted, from })
      : startChainRun(ctx, wanted))
    return { id, chainId, status: 'running', executedAt: executedAt.toISOString() }
  },
  'POST /api/chains/{id}/steps/{stepId}/preview': (ctx, { params, body, user, signal }) =>
    previewStep(ctx, { chainId: params.id, stepId: params.stepId, user, signal, ...body }),
  'POST /api/executions/{id}/resume': (ctx, { params, body, user }) =>
    resumeChainRun(ctx, { ...params, user, ...body }),
  'POST /api/executions/{id}/steps/{position}/retry-items': (ctx, { params, body, user }) =>
    retryItems(ctx, { ...params, user, ...body }),
})

const serveRunHistory = handlers(runHistoryApi, {
  'GET /api/executions/{id}': (ctx, { params, user }) => readRun(ctx, { ...params, user }),
  'GET /api/executions/{id}/steps/{position}': (ctx, { params, user }) =>
    readRunStep(ctx, { ...params, user }),
  'GET /api/executions/{id}/steps/{position}/items': (ctx, { params, query, user }) =>
    listRunItems(ctx, { ...params, query, user }),
  'GET /api/executions/{id}/steps/{position}/items/{index}': (ctx, { params, user }) =>
    readRunItem(ctx, { ...params, user }),
  'GET /api/executions/{id}/files/{fileId}': (ctx, { params, user }) => readRunFile(ctx, { ...params, user }),
  'GET /api/executions/{id}/status': (ctx, { params, user }) => readRunState(ctx, { ...params, user }),
  'POST /api/executions/{id}/cancel': async (ctx, { params, user, reply }) => {
    const state = await cancelRun(ctx, { ...params, user })
    return reply.code(state.sight === 'presence' ? 202 : 200).send(state)
  },
  'DELETE /api/executions/{id}': (ctx, { params, user }) => deleteRun(ctx, { ...params, user }),
  'GET /api/chains/{id}/executions': (ctx, { params: { id: chainId }, query, user }) =>
    listRunsOfChain(ctx, { chainId, user, query }),
  'GET /api/latest-chain-runs': listLatestChainRuns,
  'GET /api/tokens/{id}/executions': (ctx, { params: { id: tokenId }, query, user }) =>
    listRunsOfToken(ctx, { tokenId, user, query }),
  'GET /api/prompts/{id}/executions': (ctx, { params: { id: promptId }, query, user }) =>
    listRunsOfPrompt(ctx, { promptId, user, query }),
  'GET /api/prompts/{id}/executions/{executionId}': (ctx, { params, user }) =>
    readRunOfPrompt(ctx, { promptId: params.id, id: params.executionId, user }),
  'GET /api/executions': (ctx, { query: { promptId, ...query }, user }) =>
    listRunsOfPrompt(ctx, { promptId, user, query }),
  'DELETE /api/prompts/{id}/executions': (ctx, { params: { id: promptId }, user }) =>
    deletePromptRuns(ctx, { promptId, user }),
})

const serveRatings = handlers(ratingsApi, {
  'GET /api/executions/{id}/ratings': (ctx, { params, user }) => listRatings(ctx, { ...params, user }),
  'PUT /api/executions/{id}/rating': (ctx, { params, body: rating, user }) =>
    rateRun(ctx, { ...params, user, rating }),
  'DELETE /api/executions/{id}/rating': (ctx, { params, user }) => unrateRun(ctx, { ...params, user }),
})

const serveRunShares = handlers(runSharesApi, {
  'PUT /api/executions/{id}/share': (ctx, { params, user }) => shareRun(ctx, { ...params, user }),
  'DELETE /api/executions/{id}/share': (ctx, { params, user }) => unshareRun(ctx, { ...params, user }),
})

const serveChainRunShares = handlers(chainRunSharesApi, {
  'GET /api/chains/{id}/run-share': (ctx, { params, user }) =>
    showRunShare(ctx, { record: { kind: 'chain', ...params }, user }),
  'PUT /api/chains/{id}/run-share': (ctx, { params, body, user }) =>
    shareRunsOf(ctx, { record: { kind: 'chain', ...params }, user, ...body }),
  'DELETE /api/chains/{id}/run-share': (ctx, { params, user }) =>
    unshareRunsOf(ctx, { record: { kind: 'chain', ...params }, user }),
})

const servePromptRunShares = handlers(promptRunSharesApi, {
  'GET /api/prompts/{id}/run-share': (ctx, { params, user }) =>
    showRunShare(ctx, { record: { kind: 'prompt', ...params }, user }),
  'PUT /api/prompts/{id}/run-share': (ctx, { params, body, user }) =>
    shareRunsOf(ctx, { record: { kind: 'prompt', ...params }, user, ...body }),
  'DELETE /api/prompts/{id}/run-share': (ctx, { params, user }) =>
    unshareRunsOf(ctx, { record: { kind: 'prompt', ...params }, user }),
})

const serveRunWatching = handlers(runWatchingApi, {
  'GET /api/executions/{id}/events': async (ctx, { params: { id }, user, signal, request, reply }) => {
    await readRunState(ctx, { id, user })
    const findViewer = () => request.server.findUser(toHeaders(request))
    return sendEventStream(reply, watchRun(ctx, { id, findViewer, signal }), { draining: ctx.draining })
  },
})

const serveAsks = handlers(asksApi, {
  'GET /api/asks': listAsks,
  'GET /api/asks/count': countWaitingAsks,
  'GET /api/asks/{id}': (ctx, { params, user }) => readAsk(ctx, { ...params, user }),
  'POST /api/asks/{id}/answer': (ctx, { params, body, user }) =>
    answerAsk(ctx, { ...params, user, answer: body }),
  'POST /api/executions/{id}/steps/{position}/unsure': (ctx, { params, body, user }) =>
    answerUnsure(ctx, { ...params, user, said: body }),
})

export const serveRuns = [
  serveAsks,
  servePromptRuns,
  serveChainRuns,
  serveRunHistory,
  serveRatings,
  serveRunShares,
  serveChainRunShares,
  servePromptRunShares,
  serveRunWatching,
]

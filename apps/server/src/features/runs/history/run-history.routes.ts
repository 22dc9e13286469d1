import { runHistoryApi } from '@catenary/contracts'
import { handlers } from '../../../platform/http/endpoints.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { cancelRun, deletePromptRuns, deleteRun } from './operations/change-run.ts'
import {
  listLatestChainRuns,
  listRunsOfChain,
  listRunsOfPrompt,
  listRunsOfToken,
  readRunOfPrompt,
} from './operations/list-runs.ts'
import { readRun, readRunFile, readRunState, readRunStep } from './operations/read-run.ts'
import type { RunHistoryDeps } from './run-history-deps.ts'

export const runHistoryRoutes = (deps: RunHistoryDeps): Routes =>
  handlers(runHistoryApi, {
    'GET /api/executions/{id}': (_, { params, user }) => readRun(deps, { ...params, user }),
    'GET /api/executions/{id}/steps/{position}': (_, { params, user }) =>
      readRunStep(deps, { ...params, user }),
    'GET /api/executions/{id}/files/{fileId}': (_, { params, user }) =>
      readRunFile(deps, { ...params, user }),
    'GET /api/executions/{id}/status': (_, { params, user }) => readRunState(deps, { ...params, user }),
    'POST /api/executions/{id}/cancel': async (_, { params, user, reply }) => {
      const state = await cancelRun(deps, { ...params, user })
      return reply.code(state.sight === 'presence' ? 202 : 200).send(state)
    },
    'DELETE /api/executions/{id}': (_, { params, user }) => deleteRun(deps, { ...params, user }),
    'GET /api/chains/{id}/executions': (_, { params: { id: chainId }, query, user }) =>
      listRunsOfChain(deps, { chainId, user, query }),
    'GET /api/latest-chain-runs': (_, { user }) => listLatestChainRuns(deps, user),
    'GET /api/tokens/{id}/executions': (_, { params: { id: tokenId }, query, user }) =>
      listRunsOfToken(deps, { tokenId, user, query }),
    'GET /api/prompts/{id}/executions': (_, { params: { id: promptId }, query, user }) =>
      listRunsOfPrompt(deps, { promptId, user, query }),
    'GET /api/prompts/{id}/executions/{executionId}': (_, { params, user }) =>
      readRunOfPrompt(deps, { promptId: params.id, id: params.executionId, user }),
    'GET /api/executions': (_, { query: { promptId, ...query }, user }) =>
      listRunsOfPrompt(deps, { promptId, user, query }),
    'DELETE /api/prompts/{id}/executions': (_, { params: { id: promptId }, user }) =>
      deletePromptRuns(deps, { promptId, user }),
  })

import { chainRunsApi } from '@catenary/contracts'
import { handlers } from '../../../platform/http/endpoints.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import type { ChainRunsDeps } from './chain-runs-deps.ts'
import { resumeChainRun } from './operations/resume-run.ts'
import { startChainRun } from './operations/start-run.ts'

export const chainRunsRoutes = (deps: ChainRunsDeps): Routes =>
  handlers(chainRunsApi, {
    'POST /api/chains/{id}/execute': async (_, { params, body, user }) => {
      const { input, variableValues: values = {}, fills = [] } = body ?? {}
      await deps.variables.requireAllowed({ typed: new Map(Object.entries(values)), user })
      const wanted = { user, chainId: params.id, allowed: { shown: fills }, input, values }
      const { id, chainId, executedAt } = await startChainRun(deps, wanted)
      return { id, chainId, status: 'running', executedAt: executedAt.toISOString() }
    },
    'POST /api/executions/{id}/resume': (_, { params, body, user }) =>
      resumeChainRun(deps, { ...params, user, ...body }),
  })

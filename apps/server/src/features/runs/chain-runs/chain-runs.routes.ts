import { executeChainRequest, idParams, resumeRequest, startedRun } from '@catenary/contracts'
import type { Routes } from '../../../platform/http/routes.ts'
import { requireUser } from '../../../platform/http/session.ts'
import type { ChainRunsDeps } from './chain-runs-deps.ts'
import { resumeChainRun } from './operations/resume-run.ts'
import { startChainRun } from './operations/start-run.ts'

export function chainRunsRoutes(deps: ChainRunsDeps): Routes {
  return (app, { limitRuns }) => {
    app.post(
      '/api/chains/:id/execute',
      {
        config: { writes: 'unlimited' },
        onRequest: limitRuns,
        schema: {
          tags: ['executions'],
          summary: 'Run a chain',
          description: 'Answers at once with the id of the run, which goes on by itself.',
          params: idParams,
          body: executeChainRequest,
          response: { 201: startedRun },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        const { input, variableValues: values = {}, fills = [] } = request.body ?? {}
        await deps.variables.requireAllowed({ typed: new Map(Object.entries(values)), user })
        const { id, chainId, executedAt } = await startChainRun(deps, {
          user,
          chainId: request.params.id,
          allowed: { shown: fills },
          input,
          values,
        })
        const started = { id, chainId, status: 'running' as const, executedAt: executedAt.toISOString() }
        return reply.code(201).send(started)
      },
    )

    app.post(
      '/api/executions/:id/resume',
      {
        config: { writes: 'unlimited' },
        onRequest: limitRuns,
        schema: {
          tags: ['executions'],
          summary: 'Resume a run of a chain from the step that failed',
          description:
            'Completed steps are not repeated. The others run as the chain has them now, as long as the ' +
            'completed ones are still its first; else as they were when the run started.',
          params: idParams,
          body: resumeRequest,
          response: { 200: startedRun },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return resumeChainRun(deps, { id: request.params.id, user, ...request.body })
      },
    )
  }
}

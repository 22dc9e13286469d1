import {
  ownBudget,
  usageQuery,
  usageReport,
  usageRuns,
  usageRunsQuery,
  versionMetrics,
  versionMetricsQuery,
} from '@catenary/contracts'
import * as z from 'zod'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { UsageService } from './usage.service.ts'
import type { UsageRunsService } from './usage-runs.service.ts'

const tags = ['usage']

/** The outcome and cost of runs. */
export function usageRoutes({
  usage,
  usageRuns: runs,
}: {
  usage: UsageService
  usageRuns: UsageRunsService
}): Routes {
  return (app) => {
    app.get(
      '/api/usage',
      {
        schema: {
          tags,
          summary: 'Runs, cost, tokens and times of the last days',
          description:
            'Counted as runs end. A run that is deleted stays counted; one that is resumed counts each time it ends.',
          querystring: usageQuery,
          response: { 200: usageReport, ...errorReplies(401, 403) },
        },
      },
      async (request) => usage.report({ user: await requireUser(request), query: request.query }),
    )

    app.get(
      '/api/usage/budget',
      {
        schema: {
          tags,
          summary: 'What one may spend in this month, and has spent',
          response: { 200: ownBudget, ...errorReplies(401) },
        },
      },
      async (request) => ({ budget: await usage.budgetOf(await requireUser(request)) }),
    )

    app.get(
      '/api/usage/runs',
      {
        schema: {
          tags,
          summary: 'The runs behind the figures, without their texts',
          description: 'Runs that are deleted are counted and not listed.',
          querystring: usageRunsQuery,
          response: { 200: usageRuns, ...errorReplies(401, 403) },
        },
      },
      async (request) => runs.list({ user: await requireUser(request), query: request.query }),
    )

    app.get(
      '/api/usage/versions',
      {
        schema: {
          tags,
          summary: 'What each version of a prompt or chain came to',
          description: "Of one's own last 10,000 runs; for an administrator everyone's.",
          querystring: versionMetricsQuery,
          response: { 200: z.array(versionMetrics), ...errorReplies(401) },
        },
      },
      async (request) => runs.versions({ user: await requireUser(request), ...request.query }),
    )
  }
}

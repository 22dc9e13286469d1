import { ownBudget, usageReport, usageRuns } from '@catenary/contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryOf, type UsageFilter, type UsageView } from './usage-view.ts'

const ROOT = ['usage'] as const

export function usageQuery({ view, timeZone }: { view: UsageView; timeZone: string }) {
  const query = queryOf(view, { timeZone })
  return queryOptions({
    queryKey: [...ROOT, 'report', query],
    queryFn: ({ signal }) => api('GET /api/usage', { query, reply: usageReport, signal }),
    // Runs end without an action of this page.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

export function usageRunsQuery(view: UsageView, filter: UsageFilter & { timeZone: string }) {
  const wanted = queryOf(view, filter)
  return infiniteQueryOptions({
    queryKey: [...ROOT, 'runs', wanted],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...wanted, before: pageParam ?? undefined }
      return api('GET /api/usage/runs', { query, reply: usageRuns, signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
}

/** What this person ran last, newest first: asked anew each time that it is shown. */
export const lastRunsQuery = queryOptions({
  queryKey: [...ROOT, 'runs', 'last'],
  queryFn: ({ signal }) => api('GET /api/usage/runs', { query: { days: '30' }, reply: usageRuns, signal }),
  select: ({ runs }) => runs,
  staleTime: 0,
})

/** How long a fetched budget is fresh enough for a warning. */
const BUDGET_AGE_MS = 60_000

export const budgetQuery = queryOptions({
  queryKey: [...ROOT, 'budget'],
  queryFn: ({ signal }) => api('GET /api/usage/budget', { reply: ownBudget, signal }),
  staleTime: BUDGET_AGE_MS,
})

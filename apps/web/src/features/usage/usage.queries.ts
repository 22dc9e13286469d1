import { ownBudget, usageReport, usageRuns } from '@catenary/contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '../../lib/api-client.ts'
import { toQuery, type UsageView } from './usage-view.ts'

const ROOT = ['usage'] as const

/** The usage of the last days, by the clock of that zone. */
export function usageQuery({ view, timeZone }: { view: UsageView; timeZone: string }) {
  const query = toQuery(view, { timeZone })
  return queryOptions({
    queryKey: [...ROOT, 'report', query],
    queryFn: ({ signal }) => read({ path: `/api/usage?${query}`, schema: usageReport, signal }),
    // Runs end without an action of this page.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** The runs behind a mark, newest first. */
export function usageRunsQuery(query: string) {
  return infiniteQueryOptions({
    queryKey: [...ROOT, 'runs', query],
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === null ? '' : `&before=${pageParam}`
      return read({ path: `/api/usage/runs?${query}${before}`, schema: usageRuns, signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
}

/** How long a fetched budget is fresh enough for a warning. */
const BUDGET_AGE_MS = 60_000

/** What the person may spend in this month. */
export const budgetQuery = queryOptions({
  queryKey: [...ROOT, 'budget'],
  queryFn: ({ signal }) => read({ path: '/api/usage/budget', schema: ownBudget, signal }),
  staleTime: BUDGET_AGE_MS,
})

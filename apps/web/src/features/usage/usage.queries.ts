import { stripRun, usageReport, usageRuns, versionFigures } from '@catenary/contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { read } from '../../lib/api-client.ts'
import { toQuery, type UsageView } from './usage-view.ts'

const ROOT = ['usage'] as const

/** The figures of the last days, by the clock of that zone. */
export function usageQuery({ view, timeZone }: { view: UsageView; timeZone: string }) {
  const query = toQuery(view, { timeZone })
  return queryOptions({
    queryKey: [...ROOT, 'report', query],
    queryFn: ({ signal }) => read({ path: `/api/usage?${query}`, schema: usageReport, signal }),
    // Runs end by themselves, whoever looks.
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

/** The last runs of a prompt or chain, oldest first. */
export function stripQuery(of: { promptId: number } | { chainId: number }) {
  const query = new URLSearchParams(Object.entries(of).map(([name, id]) => [name, String(id)]))
  return queryOptions({
    queryKey: [...ROOT, 'strip', String(query)],
    queryFn: ({ signal }) => read({ path: `/api/usage/strip?${query}`, schema: z.array(stripRun), signal }),
    staleTime: 0,
  })
}

/** What each version of a prompt came to. */
export function versionFiguresQuery(promptId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'versions', promptId],
    queryFn: ({ signal }) =>
      read({ path: `/api/usage/versions?promptId=${promptId}`, schema: z.array(versionFigures), signal }),
    staleTime: 0,
  })
}

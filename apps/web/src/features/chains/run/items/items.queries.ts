import {
  ITEMS_SHOWN,
  type ListedRunItem,
  type ListedRunStep,
  listedRunItem,
  runItem,
  type StepStatus,
} from '@catenary/contracts'
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, apiPage } from '../../../../lib/api.ts'
import type { ListPage } from '../../../../lib/api-client.ts'
import { runQuery } from '../chain-runs.queries.ts'

const RUNNING_POLL_MS = 2000

export interface ItemsOf {
  runId: number
  position: number
  /** Only those; null: all. */
  status: Extract<StepStatus, 'failed' | 'skipped'> | null
}

// Below the run’s own: whatever is news of the run is news of its items.
function itemsQuery({ runId, position, status }: ItemsOf) {
  return infiniteQueryOptions({
    queryKey: [...runQuery(runId).queryKey, position, 'items', status],
    queryFn: ({ pageParam, signal }) =>
      apiPage('GET /api/executions/{id}/steps/{position}/items', {
        params: { id: runId, position },
        query: { limit: ITEMS_SHOWN, ...(status !== null && { status }) },
        list: listedRunItem,
        cursor: pageParam,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<ListedRunItem>) => next,
  })
}

/** The items of a step, page by page; the first page comes with the run. */
export function useItems({
  step,
  isRunning,
  ...of
}: ItemsOf & { step: ListedRunStep | undefined; isRunning: boolean }) {
  const first = of.status === null ? step?.items : undefined
  return useInfiniteQuery({
    ...itemsQuery(of),
    refetchInterval: isRunning ? RUNNING_POLL_MS : false,
    placeholderData: first && {
      pages: [{ items: first, total: null, isMore: false, next: null }],
      pageParams: [null],
    },
  })
}

interface ItemOf {
  runId: number
  position: number
  item: ListedRunItem
}

function itemQuery({ runId, position, item: { index, status, retriedAt } }: ItemOf) {
  return queryOptions({
    // An item that has ended meanwhile is another.
    queryKey: [...runQuery(runId).queryKey, position, 'item', index, status, retriedAt],
    queryFn: ({ signal }) =>
      api('GET /api/executions/{id}/steps/{position}/items/{index}', {
        params: { id: runId, position, index },
        reply: runItem,
        signal,
      }),
  })
}

/** One item with its whole texts. */
export const useWholeItem = (of: ItemOf) => useQuery(itemQuery(of))

import type { ListKey } from '@catenary/contracts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiPage, type Item } from './api.ts'
import type { ListPage } from './api-client.ts'
import { isNetworkFailure } from './errors.ts'

export interface List<Item> {
  items: Item[]
  total: number
  isMore: boolean
  isWhole: boolean
}

export function apiList<K extends ListKey>(
  key: K,
  { queryKey, ...call }: { queryKey: QueryKey } & Parameters<typeof apiPage<K>>[1],
) {
  type Row = Item<K> & { id: number }
  const sent = call as Parameters<typeof apiPage<K>>[1]
  return pagesOf(queryKey, (page) => apiPage<K>(key, { ...sent, ...page }) as Promise<ListPage<Row>>)
}

function pagesOf<Row extends { id: number }>(
  queryKey: QueryKey,
  readPage: (page: { cursor: string | null; signal: AbortSignal }) => Promise<ListPage<Row>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage({ cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<Row>) => next,
    // Comparing a thousand rows costs more than redrawing the twenty in view.
    structuralSharing: false,
    select: joinPages<Row>,
  })
}

function joinPages<Item extends { id: number }>({
  pages,
}: InfiniteData<ListPage<Item>, unknown>): List<Item> {
  const [first, ...others] = pages
  const all = pages.flatMap(({ items }) => items)
  // An item that moved while pages were read comes twice.
  const items = others.length === 0 ? all : [...new Map(all.map((item) => [item.id, item])).values()]
  const { total, isMore = false } = first ?? {}
  return { items, total: Math.max(total ?? 0, items.length), isMore, isWhole: pages.at(-1)?.next == null }
}

export function useList<Item>(query: ReturnType<typeof pagesOf<Item & { id: number }>>) {
  const { data, error, refetch, isFetching, isPlaceholderData, fetchNextPage, isFetchNextPageError } =
    useInfiniteQuery({
      ...query,
      placeholderData: keepPreviousData,
    })
  return {
    list: data,
    /** The list is of this query, not still of the one before. */
    isFound: data !== undefined && !isPlaceholderData,
    // Without the network what is here stays.
    error: isFetchNextPageError || (data && !isPlaceholderData && isNetworkFailure(error)) ? null : error,
    refetch: () => void refetch(),
    loadMore: () => {
      const isResting = !isPlaceholderData && !isFetching && !isFetchNextPageError
      if (data && !data.isWhole && isResting) void fetchNextPage()
    },
    isCutShort: isFetchNextPageError,
    retryMore: () => void fetchNextPage(),
  }
}

export function countOf({ total, isMore }: List<unknown>): string {
  return `${total}${isMore ? '+' : ''}`
}

/** The first page of a list, and of a longer one what a search finds beyond it. */
export function useFoundList<Item extends { id: number }>({
  first,
  search,
  found,
}: {
  first: List<Item> | undefined
  search: string
  found: ReturnType<typeof pagesOf<Item>>
}): Item[] {
  const isEnabled = first !== undefined && !first.isWhole && search !== ''
  const { data } = useInfiniteQuery({ ...found, enabled: isEnabled, placeholderData: keepPreviousData })
  return useMemo(() => {
    const items = [...(first?.items ?? []), ...((isEnabled && data?.items) || [])]
    return isEnabled ? [...new Map(items.map((item) => [item.id, item])).values()] : items
  }, [first, isEnabled, data])
}

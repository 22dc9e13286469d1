import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type * as z from 'zod'
import { apiPage, type Item, type ListKey } from './api.ts'
import { type ListPage, readPage } from './api-client.ts'
import { isNetworkFailure } from './errors.ts'

/** The loaded part of a list. */
export interface List<Item> {
  items: Item[]
  /** How many there are in all. */
  total: number
  /** There are more than `total`. */
  isMore: boolean
  /** Nothing is still to be fetched. */
  isWhole: boolean
}

/** A list that is fetched page by page as the person scrolls. */
export function listQuery<Schema extends z.ZodType<{ id: number }>>({
  queryKey,
  path,
  schema,
}: {
  queryKey: QueryKey
  path: string
  schema: Schema
}) {
  type Item = z.output<Schema>
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage({ path, schema, cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<Item>) => next,
    // Comparing a thousand rows costs more than redrawing the twenty in view.
    structuralSharing: false,
    select: joinPages<Item>,
  })
}

/** The same of an endpoint, by its key. */
export function apiList<K extends ListKey>(
  key: K,
  { queryKey, ...call }: { queryKey: QueryKey } & Parameters<typeof apiPage<K>>[1],
) {
  type Row = Item<K> & { id: number }
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      apiPage<K>(key, {
        ...(call as Parameters<typeof apiPage<K>>[1]),
        cursor: pageParam,
        signal,
      }) as Promise<ListPage<Row>>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<Row>) => next,
    structuralSharing: false,
    select: joinPages<Row>,
  })
}

function joinPages<Item extends { id: number }>({
  pages,
}: InfiniteData<ListPage<Item>, unknown>): List<Item> {
  const [first, ...others] = pages
  const all = pages.flatMap(({ items }) => items)
  // What moved to a later place while pages were read comes twice.
  const items = others.length === 0 ? all : [...new Map(all.map((item) => [item.id, item])).values()]
  const { total, isMore = false } = first ?? {}
  return { items, total: Math.max(total ?? 0, items.length), isMore, isWhole: pages.at(-1)?.next == null }
}

/** The loaded part of a list: of the previous one, while another is on its way. */
export function useList<Item>(query: ReturnType<typeof listQuery<z.ZodType<Item & { id: number }>>>) {
  const { data, error, refetch, isFetching, isPlaceholderData, fetchNextPage, isFetchNextPageError } =
    useInfiniteQuery({
      ...query,
      placeholderData: keepPreviousData,
    })
  return {
    list: data,
    // Without the network what is here stays.
    error: isFetchNextPageError || (data && !isPlaceholderData && isNetworkFailure(error)) ? null : error,
    refetch: () => void refetch(),
    /** Fetches the next page, unless there is none, it is on its way, or it could not be fetched. */
    loadMore: () => {
      const isResting = !isPlaceholderData && !isFetching && !isFetchNextPageError
      if (data && !data.isWhole && isResting) void fetchNextPage()
    },
    /** The next page could not be fetched. */
    isCutShort: isFetchNextPageError,
    retryMore: () => void fetchNextPage(),
  }
}

/** How many a list has, in a word: `12`, or `1000+`. */
export function countOf({ total, isMore }: List<unknown>): string {
  return `${total}${isMore ? '+' : ''}`
}

/** The first page of a list, and of a longer one what a search finds beyond it. */
export function useFoundList<Item extends { id: number }>({
  first,
  search,
  found,
}: {
  /** Undefined while it is on its way. */
  first: List<Item> | undefined
  search: string
  found: ReturnType<typeof listQuery<z.ZodType<Item>>>
}): Item[] {
  const isEnabled = first !== undefined && !first.isWhole && search !== ''
  const { data } = useInfiniteQuery({ ...found, enabled: isEnabled, placeholderData: keepPreviousData })
  return useMemo(() => {
    const items = [...(first?.items ?? []), ...((isEnabled && data?.items) || [])]
    return isEnabled ? [...new Map(items.map((item) => [item.id, item])).values()] : items
  }, [first, isEnabled, data])
}

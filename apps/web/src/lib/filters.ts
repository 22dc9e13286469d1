import {
  OWNERSHIPS,
  type Ownership,
  PROMPT_SORTS,
  type PromptSort,
  type SharedLevel,
} from '@catenary/contracts'
import { useCallback, useMemo } from 'react'
import { type AddressChange, idIn, idsIn, useAddress, withChange } from './address.ts'

export type LibraryView = 'grid' | 'list'
export const VISIBILITY_LEVELS: readonly SharedLevel[] = ['private', 'shared', 'public']

export interface Filters {
  search: string
  categoryId: number | null
  tagIds: readonly number[]
  visibility: SharedLevel | null
  ownership: Ownership
  view: LibraryView
  sort: PromptSort
}

/** The filters that the address holds: `?search=&category=&tags=1,2&visibility=public&ownership=mine&view=list&sort=title`. */
export function readFilters(params: URLSearchParams): Filters {
  return {
    search: params.get('search') ?? '',
    categoryId: idIn(params.get('category')),
    tagIds: idsIn(params.get('tags')),
    visibility: VISIBILITY_LEVELS.find((level) => level === params.get('visibility')) ?? null,
    ownership: OWNERSHIPS.find((ownership) => ownership === params.get('ownership')) ?? 'all',
    view: params.get('view') === 'list' ? 'list' : 'grid',
    sort: PROMPT_SORTS.find((sort) => sort === params.get('sort')) ?? 'updated',
  }
}

/** Values that are the default leave the address. */
export function writeFilters(change: Partial<Filters>): AddressChange {
  const { search, categoryId, tagIds, visibility, ownership, view, sort } = change
  return {
    search,
    category: categoryId,
    tags: tagIds?.join(','),
    visibility,
    ownership: ownership === 'all' ? '' : ownership,
    view: view === 'grid' ? '' : view,
    sort: sort === 'updated' ? '' : sort,
  }
}

/** What the address holds of filters, without the question mark; empty where all are as usual. */
export const addressOfFilters = (filters: Filters): string =>
  withChange(new URLSearchParams(), writeFilters(filters)).toString()

export function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const [params, changeAddress] = useAddress()
  const filters = useMemo(() => readFilters(params), [params])
  const change = useCallback(
    (change: Partial<Filters>) => changeAddress(writeFilters(change), { replace: 'search' in change }),
    [changeAddress],
  )
  return [filters, change]
}

export function toggleId({ ids, id }: { ids: readonly number[]; id: number }): number[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]
}

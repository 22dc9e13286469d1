import {
  OWNERSHIPS,
  type Ownership,
  PROMPT_SORTS,
  type PromptSort,
  type SharedLevel,
} from '@catenary/contracts'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'

export type LibraryView = 'grid' | 'list'
export const VISIBILITY_LEVELS: readonly SharedLevel[] = ['private', 'shared', 'public']

export interface Filters {
  search: string
  categoryId: number | null
  tagIds: readonly number[]
  /** Who else sees it; chains alone are filtered by it. */
  visibility: SharedLevel | null
  /** Whose they are. */
  ownership: Ownership
  view: LibraryView
  sort: PromptSort
}

/** The filters that the address holds: `?search=&category=&tags=1,2&visibility=public&ownership=mine&view=list&sort=title`. */
export function readFilters(params: URLSearchParams): Filters {
  const category = Number(params.get('category'))
  return {
    search: params.get('search') ?? '',
    categoryId: Number.isInteger(category) && category > 0 ? category : null,
    tagIds: (params.get('tags') ?? '')
      .split(',')
      .map(Number)
      .filter((id) => Number.isInteger(id) && id > 0),
    visibility: VISIBILITY_LEVELS.find((level) => level === params.get('visibility')) ?? null,
    ownership: OWNERSHIPS.find((ownership) => ownership === params.get('ownership')) ?? 'all',
    view: params.get('view') === 'list' ? 'list' : 'grid',
    sort: PROMPT_SORTS.find((sort) => sort === params.get('sort')) ?? 'updated',
  }
}

/** Writes a change of filters into address parameters; what is empty leaves the address. */
export function writeFilters({ params, change }: { params: URLSearchParams; change: Partial<Filters> }) {
  const { search, categoryId, tagIds, visibility, ownership, view, sort } = {
    ...readFilters(params),
    ...change,
  }
  const next = new URLSearchParams(params)
  const values = {
    search,
    category: categoryId === null ? '' : String(categoryId),
    tags: tagIds.join(','),
    visibility: visibility ?? '',
    ownership: ownership === 'all' ? '' : ownership,
    view: view === 'list' ? 'list' : '',
    sort: sort === 'updated' ? '' : sort,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/** The filters of the page in view, kept in its address, and how to change them. */
export function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  const change = useCallback(
    (change: Partial<Filters>) =>
      setParams((params) => writeFilters({ params, change }), { replace: 'search' in change }),
    [setParams],
  )
  return [filters, change]
}

/** The list with the id added, or taken out if it was in. */
export function toggleId({ ids, id }: { ids: readonly number[]; id: number }): number[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]
}

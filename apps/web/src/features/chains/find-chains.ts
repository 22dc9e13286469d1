import type { ChainListItem, SharedLevel } from '@catenary/contracts'
import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

export const LEVELS: readonly SharedLevel[] = ['private', 'shared', 'public']

/** Which visibility the list is filtered by; kept in the address as `?visibility=public`. */
export function useVisibilityFilter() {
  const [params, setParams] = useSearchParams()
  const visibility = LEVELS.find((level) => level === params.get('visibility')) ?? null
  const change = useCallback(
    (level: SharedLevel | null) =>
      setParams((params) => {
        const next = new URLSearchParams(params)
        if (level === null) next.delete('visibility')
        else next.set('visibility', level)
        return next
      }),
    [setParams],
  )
  return [visibility, change] as const
}

/** Chains with the text in name or description, any of the tags, and that visibility. */
export function findChains({
  chains,
  search,
  tagIds,
  visibility,
}: {
  chains: ChainListItem[]
  search: string
  tagIds: readonly number[]
  visibility: SharedLevel | null
}): ChainListItem[] {
  const wanted = search.trim().toLowerCase()
  return chains.filter(
    ({ name, description, tags, sharedLevel }) =>
      (wanted === '' || `${name}\n${description}`.toLowerCase().includes(wanted)) &&
      (tagIds.length === 0 || tags.some(({ id }) => tagIds.includes(id))) &&
      (visibility === null || sharedLevel === visibility),
  )
}

import type { ChainListItem, SharedLevel } from '@catenary/contracts'

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

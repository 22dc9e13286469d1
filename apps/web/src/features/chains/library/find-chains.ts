import type { ChainListItem, SharedLevel } from '@catenary/contracts'

/** The listed chains with any of the tags and that visibility: at once, while the server still looks for all of them. */
export function findChains({
  chains,
  tagIds,
  visibility,
}: {
  chains: ChainListItem[]
  tagIds: readonly number[]
  visibility: SharedLevel | null
}): ChainListItem[] {
  return chains.filter(
    ({ tags, sharedLevel }) =>
      (tagIds.length === 0 || tags.some(({ id }) => tagIds.includes(id))) &&
      (visibility === null || sharedLevel === visibility),
  )
}

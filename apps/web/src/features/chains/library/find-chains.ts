import type { ChainListItem, Ownership, SharedLevel } from '@catenary/contracts'

/** The listed chains with any of the tags, that visibility and of those people: at once, while the server still looks for all of them. */
export function findChains({
  chains,
  tagIds,
  visibility,
  ownership,
  username,
}: {
  chains: ChainListItem[]
  tagIds: readonly number[]
  visibility: SharedLevel | null
  ownership: Ownership
  /** The viewer's username. */
  username: string | undefined
}): ChainListItem[] {
  return chains.filter(
    ({ tags, sharedLevel, owner, canView }) =>
      (tagIds.length === 0 || tags.some(({ id }) => tagIds.includes(id))) &&
      (visibility === null || sharedLevel === visibility) &&
      (ownership !== 'mine' || owner === username) &&
      (ownership !== 'shared' || (sharedLevel === 'shared' && canView && owner !== username)),
  )
}

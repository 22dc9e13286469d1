import type { RunsVisibleTo, SharedLevel, ShareRole, User } from '@catenary/contracts'

interface Subject {
  ownerId: number
  sharedLevel: SharedLevel
  /** The viewer's role in the chain's shares. */
  shareRole: ShareRole | null
}

/** Roles count only while the chain is shared with named people. */
function roleOf(chain: Subject): ShareRole | null {
  return chain.sharedLevel === 'shared' ? chain.shareRole : null
}

/** Own, public, and shared with them; an admin's rights do not open other people's chains. */
export function canViewChain(user: User | null, chain: Subject): boolean {
  if (chain.sharedLevel === 'public' || chain.ownerId === user?.id) return true
  return user !== null && roleOf(chain) !== null
}

/** Every signed-in person who sees it. */
export function canExecuteChain(user: User | null, chain: Subject): boolean {
  return user !== null && canViewChain(user, chain)
}

/** Owner, editors, and admins what they can see (D14, D33). */
export function canEditChain(user: User | null, chain: Subject): boolean {
  if (user === null || !canViewChain(user, chain)) return false
  return chain.ownerId === user.id || user.role === 'admin' || roleOf(chain) === 'editor'
}

/** Only the owner decides who else sees the chain. */
export function canShareChain(user: User | null, chain: Subject): boolean {
  return chain.ownerId === user?.id
}

/** Only the owner: a name that is taken would tell of the owner's other chains. */
export function canNameChain(user: User, chain: { ownerId: number }): boolean {
  return chain.ownerId === user.id
}

/** Whether owner and editors see what others run of it: not while it is public, nor where it keeps its runs (D42). */
export function showsRuns(chain: { sharedLevel: SharedLevel; runsVisibleTo: RunsVisibleTo }): boolean {
  return chain.sharedLevel !== 'public' && chain.runsVisibleTo === 'editors'
}

/** The epoch in which others see a run that starts now; null: only its starter sees it. */
export function visibilityEpochOf({
  runsVisibleTo,
  visibilityEpoch,
}: {
  runsVisibleTo: RunsVisibleTo
  visibilityEpoch: number
}): number | null {
  return runsVisibleTo === 'editors' ? visibilityEpoch : null
}

/** Owner and editors; an admin's rights do not open other people's runs. */
export function canSeeRuns(user: User, chain: Subject & { runsVisibleTo: RunsVisibleTo }): boolean {
  return showsRuns(chain) && (chain.ownerId === user.id || roleOf(chain) === 'editor')
}

/** An admin deletes what an admin can't see, too (D33). */
export function canDeleteChain(user: User | null, chain: Subject): boolean {
  return user !== null && (chain.ownerId === user.id || user.role === 'admin')
}

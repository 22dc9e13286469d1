import type { RunSight, User } from '@catenary/contracts'

export interface SharedRun {
  userId: number
  sharing: 'none' | 'run' | 'all'
  /** It has ended, and took in nothing that is private, or is shared. */
  isOpen: boolean
  isKept: boolean
}

interface ChainRights {
  canView: boolean
  canSeeRuns: boolean
  visibilityEpoch: number | null
}

const isAdmin = (user: User) => user.role === 'admin'

/** Whether the chain shows them that another's run is there (D42), unless it started while the chain kept its runs. */
export function seesChainRun(
  user: User,
  { visibilityEpoch }: { visibilityEpoch: number | null },
  rights: ChainRights,
): boolean {
  const isOfEpoch = visibilityEpoch !== null && visibilityEpoch === rights.visibilityEpoch
  return isOfEpoch && (rights.canSeeRuns || (isAdmin(user) && rights.canView))
}

/** Another's run of a prompt is seen only by admins who see the prompt (D20). */
export function isShownPromptRun(user: User, { canView }: { canView: boolean }): boolean {
  return isAdmin(user) && canView
}

/**
 * The access rule (D59, D68): the person who started a run sees all of it, as long as they see its chain. Others
 * who may see it get its texts if it is open, its metrics while it runs without private values, and only that it
 * exists if it may use them. Admins see the metrics of all runs.
 */
export function accessLevelOf(
  user: User,
  { userId, sharing, isOpen, isKept }: SharedRun,
  { canView, isShown }: { canView: boolean; isShown: boolean },
): RunSight | undefined {
  if (userId === user.id && canView) return 'own'
  const isThere = isShown || (canView && sharing !== 'none' && !isKept)
  if (isThere && isOpen) return 'texts'
  if (isAdmin(user)) return 'figures'
  if (!isThere) return undefined
  return isKept ? 'presence' : 'figures'
}

/** Only its starter, as it goes on with their rights and variables. */
export function canResumeRun(access: RunSight): boolean {
  return access === 'own'
}

export function canDeleteRun(access: RunSight): boolean {
  return access === 'own'
}

/** Whose runs a prompt's history has: the person's own; for an admin everyone's (D20). */
export function promptRunsVisibleTo(user: User): number | undefined {
  return isAdmin(user) ? undefined : user.id
}

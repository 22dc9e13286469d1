import type { RunSight, User } from '@catenary/contracts'

interface Run {
  userId: number
  /** The opening of its chain under which it started; null: it is kept to who started it. */
  runsOpening: number | null
}

/** What the person may do with the chain of the run. */
interface ChainRights {
  canView: boolean
  canEdit: boolean
  /** Owner and editors of a chain that shows them its runs. */
  canSeeRuns: boolean
  opening: number | null
}

const isAdmin = (user: User) => user.role === 'admin'

/**
 * Who started it sees all of it, as long as they see its chain. Owner and editors see it with what is private masked, and
 * so does an admin who sees the chain, unless it started while the chain kept its runs. An admin sees the figures of all.
 */
export function sightOfChainRun(user: User, run: Run, rights: ChainRights): RunSight | undefined {
  if (run.userId === user.id && rights.canView) return 'own'
  const isOpen = run.runsOpening !== null && run.runsOpening === rights.opening
  if (isOpen && (rights.canSeeRuns || (isAdmin(user) && rights.canView))) return 'masked'
  return isAdmin(user) ? 'figures' : undefined
}

/** Who started it sees all of it; an admin what is not private, where they see the prompt, else its figures. */
export function sightOfPromptRun(
  user: User,
  run: Pick<Run, 'userId'>,
  prompt: { canView: boolean },
): RunSight | undefined {
  if (run.userId === user.id) return 'own'
  if (!isAdmin(user)) return undefined
  return prompt.canView ? 'masked' : 'figures'
}

/** Who started it, and who may edit the chain whose run they read. */
export function canStopRun({ sight, canEdit }: { sight: RunSight; canEdit: boolean }): boolean {
  return sight === 'own' || (sight === 'masked' && canEdit)
}

/** Who started it alone, as it goes on with their rights and variables. */
export function canResumeRun(sight: RunSight): boolean {
  return sight === 'own'
}

/** Who started it alone, as it is their history. */
export function canDeleteRun(sight: RunSight): boolean {
  return sight === 'own'
}

/** Whose runs the history of a prompt has: one's own; for an admin everyone's (D20). */
export function visibleExecutionsOf(user: User): number | undefined {
  return isAdmin(user) ? undefined : user.id
}

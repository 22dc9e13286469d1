import type { RunsVisibleTo, SharedLevel, User } from '@catenary/contracts'
import { type RecordSubject, roleIn } from '../records/records.ts'

type Subject = Extract<RecordSubject, { sharedLevel: SharedLevel }>

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
  return showsRuns(chain) && (chain.ownerId === user.id || roleIn(chain) === 'editor')
}

/** An admin deletes what an admin can't see, too (D33). */
export function canDeleteChain(user: User | null, chain: Subject): boolean {
  return user !== null && (chain.ownerId === user.id || user.role === 'admin')
}

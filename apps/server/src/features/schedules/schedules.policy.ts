import type { User } from '@catenary/contracts'

interface Subject {
  createdBy: number
  /** The person's right on its chain. */
  canEditChain: boolean
}

/** As it runs with their values. */
function isCreator(user: User, schedule: Pick<Subject, 'createdBy'>): boolean {
  return schedule.createdBy === user.id
}

/** Who made it, and who may edit its chain (D55). */
export function canSeeSchedule(user: User, schedule: Subject): boolean {
  return isCreator(user, schedule) || schedule.canEditChain
}

/** Recipients too: others do not even see them. */
export const canEditSchedule = isCreator

export const canRunNow = isCreator

/** Turning it off needs no more than seeing it; turning it on again is the creator's. */
export const canDeactivateSchedule = canSeeSchedule

export const canDeleteSchedule = canSeeSchedule

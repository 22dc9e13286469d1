import type { User } from '@catenary/contracts'

interface Made {
  createdBy: number
}

interface Subject extends Made {
  /** The person's right on its chain. */
  canEditChain: boolean
}

/** Who made it, and who may edit its chain (D55). */
export function canSeeSchedule(user: User, schedule: Subject): boolean {
  return canEditSchedule(user, schedule) || schedule.canEditChain
}

/** Its recipients too, whom others do not even see. */
export function canEditSchedule(user: User, { createdBy }: Made): boolean {
  return createdBy === user.id
}

/** As it runs with their values. */
export function canRunNow(user: User, schedule: Made): boolean {
  return canEditSchedule(user, schedule)
}

/** Turning it on again is the creator's. */
export function canDeactivateSchedule(user: User, schedule: Subject): boolean {
  return canSeeSchedule(user, schedule)
}

export function canDeleteSchedule(user: User, schedule: Subject): boolean {
  return canSeeSchedule(user, schedule)
}

import type { User } from '@catenary/contracts'

interface Created {
  createdBy: number
}

/** What decides who may do what with a schedule. */
export interface ScheduleSubject extends Created {
  /** Whether the user may edit its chain. */
  canEditChain: boolean
}

/** Who made it, and who may edit its chain (D55). */
export function canSeeSchedule(user: User, schedule: ScheduleSubject): boolean {
  return canEditSchedule(user, schedule) || schedule.canEditChain
}

/** Its recipients too, whom others do not even see. */
export function canEditSchedule(user: User, { createdBy }: Created): boolean {
  return createdBy === user.id
}

/** As it runs with their values. */
export function canRunNow(user: User, schedule: Created): boolean {
  return canEditSchedule(user, schedule)
}

/** Only the creator turns it on again. */
export function canDeactivateSchedule(user: User, schedule: ScheduleSubject): boolean {
  return canSeeSchedule(user, schedule)
}

export function canDeleteSchedule(user: User, schedule: ScheduleSubject): boolean {
  return canSeeSchedule(user, schedule)
}

import type { User } from '@catenary/contracts'

interface Created {
  createdBy: number
}

export interface ScheduleSubject extends Created {
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

export function canDeactivateSchedule(user: User, schedule: ScheduleSubject): boolean {
  return canSeeSchedule(user, schedule)
}

export function canDeleteSchedule(user: User, schedule: ScheduleSubject): boolean {
  return canSeeSchedule(user, schedule)
}

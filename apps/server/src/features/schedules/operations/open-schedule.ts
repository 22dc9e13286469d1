import type { ScheduledRun, User } from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { toScheduledRuns } from '../schedule-views.ts'
import { canSeeSchedule, type ScheduleSubject } from '../schedules.policy.ts'
import { findOptionalSchedule, lockOptionalSchedule, type OwnedSchedule } from '../schedules.repository.ts'
import type { SchedulesDeps } from '../schedules-deps.ts'

interface Wanted {
  id: number
  user: User
}

/** Locks it for the transaction. Throws `not_found` for a schedule that the user can't see. */
export async function openSchedule(
  { chains }: SchedulesDeps,
  tx: Transaction,
  { id, user }: Wanted,
): Promise<Pick<OwnedSchedule, 'schedule'> & { subject: ScheduleSubject }> {
  const owned = await lockOptionalSchedule(tx, id)
  if (owned !== undefined) {
    const { schedule } = owned
    const chain = await chains.findAccess(tx, { id: schedule.chainId, user })
    const subject = { createdBy: schedule.createdBy, canEditChain: chain?.canEdit === true }
    if (canSeeSchedule(user, subject)) return { schedule, subject }
  }
  throw new AppError('not_found', 'Scheduled run not found')
}

/** As the user sees it, with its whole input. */
export async function readSchedule(
  deps: SchedulesDeps,
  tx: Transaction,
  { id, user }: Wanted,
): Promise<ScheduledRun> {
  const owned = await findOptionalSchedule(tx, id)
  if (owned === undefined) throw new Error(`There is no schedule ${id}`)
  const chain = await deps.chains.findAccess(tx, { id: owned.schedule.chainId, user })
  const [shown] = await toScheduledRuns(deps, tx, { schedules: [owned], chain, viewer: user })
  return shown as ScheduledRun
}

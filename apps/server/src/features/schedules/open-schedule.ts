import type { ScheduledRun, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { findChainAccess } from '../chains/chains.ts'
import { toScheduledRuns } from './schedule-views.ts'
import { canSeeSchedule, type ScheduleSubject } from './schedules.policy.ts'
import { findOptionalSchedule, lockOptionalSchedule, type OwnedSchedule } from './schedules.sql.ts'

interface Wanted {
  id: number
  user: User
}

export async function openSchedule(
  ctx: Context<Transaction>,
  { id, user }: Wanted,
): Promise<Pick<OwnedSchedule, 'schedule'> & { subject: ScheduleSubject }> {
  const owned = await lockOptionalSchedule(ctx.db, id)
  if (owned !== undefined) {
    const { schedule } = owned
    const chain = await findChainAccess(ctx, { id: schedule.chainId, user })
    const subject = { createdBy: schedule.createdBy, canEditChain: chain?.canEdit === true }
    if (canSeeSchedule(user, subject)) return { schedule, subject }
  }
  throw notFound()
}

const notFound = (): AppError => new AppError('not_found', 'Scheduled run not found')

export async function readSchedule(ctx: Context, { id, user }: Wanted): Promise<ScheduledRun> {
  const owned = await findOptionalSchedule(ctx.db, id)
  if (owned === undefined) throw notFound()
  const chain = await findChainAccess(ctx, { id: owned.schedule.chainId, user })
  const [shown] = await toScheduledRuns(ctx, { schedules: [owned], chain, viewer: user })
  return shown as ScheduledRun
}

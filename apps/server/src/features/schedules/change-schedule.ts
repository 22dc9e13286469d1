import {
  type createScheduleRequest,
  SCHEDULES_MAX,
  type ScheduledRun,
  type UpdateScheduleRequest,
  type User,
} from '@catenary/contracts'
import type * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { refuseClip } from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { findChainAccess, requireChainLabel } from '../chains/chains.ts'
import { listAskedFills, toSends } from '../fills/fills.ts'
import { askAddresses } from '../mails/mails.ts'
import type { Change } from '../records/records.ts'
import { toFills } from '../records/records.ts'
import { openSchedule, readSchedule } from './open-schedule.ts'
import { cancelDue, sendDue } from './schedule-queues.ts'
import { changedColumns, changesRule, firstTime, firstTimeAfter, toColumns } from './schedule-rule.ts'
import { canDeactivateSchedule, canDeleteSchedule, canEditSchedule } from './schedules.policy.ts'
import {
  countSchedulesOf,
  deleteScheduleRow,
  findTimeZone,
  insertSchedule,
  type ScheduleRow,
  updateScheduleRow,
} from './schedules.sql.ts'

interface NewSchedule {
  chainId: number
  user: User
  fields: z.output<typeof createScheduleRequest>
}

export async function createSchedule(
  ctx: Context,
  { chainId, user, fields }: NewSchedule,
): Promise<ScheduledRun> {
  const id = await transaction(ctx, async (ctx) => {
    const chain = await findChainAccess(ctx, { id: chainId, user })
    if (chain?.canView !== true) throw new AppError('not_found', 'Chain not found')
    if (!chain.canExecute) throw new AppError('forbidden', 'You can’t run this chain')
    if ((await countSchedulesOf(ctx.db, user.id)) >= SCHEDULES_MAX) {
      throw new AppError('conflict', `You have ${SCHEDULES_MAX} schedules. Delete one to add another.`)
    }
    await requireChainLabel(ctx, { chainId, chainLabel: fields.chainLabel })

    const { fills: chosen, sends: going = [], ...rest } = fields
    const sends = toSends(going)
    const fills = toFills(chosen ?? (await listAskedFills(ctx.db, { userId: user.id, chainIds: [chainId] })))
    const timeZone = fields.timeZone ?? (await findTimeZone(ctx.db, user.id)) ?? 'UTC'
    const columns = toColumns({ ...rest, timeZone }, chain.name)
    const first = firstTime(columns, ctx.now())
    const nextDueAt = columns.active ? first : null
    const id = await insertSchedule(ctx.db, {
      ...columns,
      fills,
      sends,
      chainId,
      createdBy: user.id,
      nextDueAt,
    })
    await replan(ctx, { scheduleId: id, from: null, to: nextDueAt })
    if (columns.active) await askAddresses(ctx, { account: user, addresses: columns.emailRecipients })
    await recordActivity(ctx, { kind: 'schedule.created', object: 'schedule', id })
    return id
  })
  return readSchedule(ctx, { id, user })
}

type ScheduleFields = Omit<UpdateScheduleRequest, 'revision'>

export async function updateSchedule(
  ctx: Context,
  { fields, ...change }: Change & { fields: ScheduleFields },
): Promise<ScheduledRun> {
  const { user, revision } = change
  await transaction(ctx, async (ctx) => {
    const { schedule, subject } = await openSchedule(ctx, change)
    const canChange = isDeactivation(fields) ? canDeactivateSchedule : canEditSchedule
    if (!canChange(user, subject)) {
      throw new AppError('forbidden', 'Only the person who created a schedule may change it')
    }
    if (revision !== undefined && revision !== schedule.revision) {
      const details = await readSchedule(ctx, change)
      throw new AppError('conflict', 'This schedule was changed since you opened it', { details })
    }
    if (isDeactivation(fields)) await deactivate(ctx, schedule)
    else await changeFields(ctx, { schedule, user, fields })
    await recordActivity(ctx, {
      kind: 'schedule.changed',
      object: 'schedule',
      id: schedule.id,
      ownerId: schedule.createdBy,
      before: { isActive: schedule.active },
      after: { isActive: fields.active ?? schedule.active },
    })
  })
  return readSchedule(ctx, change)
}

function isDeactivation(fields: ScheduleFields): boolean {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 1 && fields.active === false
}

async function deactivate(ctx: Context<Transaction>, { id, nextDueAt }: ScheduleRow) {
  await replan(ctx, { scheduleId: id, from: nextDueAt, to: null })
  await updateScheduleRow(ctx.db, { id, active: false, nextDueAt: null })
}

async function changeFields(
  ctx: Context<Transaction>,
  { schedule, user, fields }: { schedule: ScheduleRow; user: User; fields: ScheduleFields },
): Promise<void> {
  const { id } = schedule
  refuseClip({ text: fields.input, stored: schedule.input })
  const { fills: chosen, sends, ...rest } = fields
  const columns = changedColumns(schedule, rest)
  if (columns.chainLabel !== schedule.chainLabel) await requireChainLabel(ctx, { ...schedule, ...columns })

  const isActivated = columns.active && !schedule.active
  let next = schedule.nextDueAt
  if (changesRule(schedule, columns)) next = firstTime(columns, ctx.now())
  else if (isActivated) next = firstTimeAfter(columns, ctx.now())
  const nextDueAt = columns.active ? next : null
  const failures = isActivated ? { pausedReason: null, failuresInRow: 0 } : {}
  await replan(ctx, { scheduleId: id, from: schedule.nextDueAt, to: nextDueAt })
  await updateScheduleRow(ctx.db, {
    id,
    ...columns,
    ...failures,
    ...(chosen && { fills: toFills(chosen) }),
    ...(sends && { sends: toSends(sends) }),
    nextDueAt,
  })
  if (columns.active) await askAddresses(ctx, { account: user, addresses: columns.emailRecipients })
}

export function deleteSchedule(ctx: Context, wanted: { id: number; user: User }): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { schedule, subject } = await openSchedule(ctx, wanted)
    if (!canDeleteSchedule(wanted.user, subject)) {
      throw new AppError('forbidden', 'You can’t delete this scheduled run')
    }
    await replan(ctx, { scheduleId: schedule.id, from: schedule.nextDueAt, to: null })
    await deleteScheduleRow(ctx.db, schedule.id)
    const { id, createdBy: ownerId } = schedule
    await recordActivity(ctx, { kind: 'schedule.deleted', object: 'schedule', id, ownerId })
  })
}

async function replan(
  ctx: Context<Transaction>,
  { scheduleId, from, to }: { scheduleId: number; from: Date | null; to: Date | null },
): Promise<void> {
  if (from?.getTime() === to?.getTime()) return
  if (from !== null) await cancelDue(ctx, { scheduleId, dueAt: from })
  if (to !== null) await sendDue(ctx, { scheduleId, dueAt: to })
}

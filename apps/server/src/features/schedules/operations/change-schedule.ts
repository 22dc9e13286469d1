import {
  type createScheduleRequest,
  SCHEDULES_MAX,
  type ScheduledRun,
  type UpdateScheduleRequest,
  type User,
} from '@catenary/contracts'
import type * as z from 'zod'
import { toFills } from '../../../consent.ts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { refuseClip } from '../../../list-page.ts'
import type { Change } from '../../../record-access.ts'
import { listAskedFills } from '../../fills/fills.ts'
import { askAddresses } from '../../mails/mails.ts'
import { changedColumns, changesRule, firstTime, firstTimeAfter, toColumns } from '../schedule-rule.ts'
import { canDeactivateSchedule, canDeleteSchedule, canEditSchedule } from '../schedules.policy.ts'
import {
  countSchedulesOf,
  deleteScheduleRow,
  findTimeZone,
  insertSchedule,
  type ScheduleRow,
  updateScheduleRow,
} from '../schedules.repository.ts'
import type { SchedulesDeps } from '../schedules-deps.ts'
import { openSchedule, readSchedule } from './open-schedule.ts'

interface NewSchedule {
  chainId: number
  user: User
  fields: z.output<typeof createScheduleRequest>
}

/** Throws `not_found` for a chain that the user can't see, `forbidden` for one that they may not run. */
export function createSchedule(
  deps: SchedulesDeps,
  { chainId, user, fields }: NewSchedule,
): Promise<ScheduledRun> {
  const { db, now, chains, ctx } = deps
  return db.transaction(async (tx) => {
    const chain = await chains.findAccess(tx, { id: chainId, user })
    if (chain?.canView !== true) throw new AppError('not_found', 'Chain not found')
    if (!chain.canExecute) throw new AppError('forbidden', 'You may not execute this chain')
    if ((await countSchedulesOf(tx, user.id)) >= SCHEDULES_MAX) {
      throw new AppError('conflict', `You have ${SCHEDULES_MAX} schedules. Delete one to make another.`)
    }
    await chains.requireLabel(tx, { chainId, chainLabel: fields.chainLabel })

    const { fills: chosen, ...rest } = fields
    const fills = toFills(chosen ?? (await listAskedFills(tx, { userId: user.id, chainIds: [chainId] })))
    const timeZone = fields.timeZone ?? (await findTimeZone(tx, user.id)) ?? 'UTC'
    const columns = toColumns({ ...rest, timeZone }, chain.name)
    const first = firstTime(columns, now())
    const nextDueAt = columns.active ? first : null
    const id = await insertSchedule(tx, { ...columns, fills, chainId, createdBy: user.id, nextDueAt })
    await replan(deps, tx, { scheduleId: id, from: null, to: nextDueAt })
    if (columns.active)
      await askAddresses({ ...ctx, db: tx }, { account: user, addresses: columns.emailRecipients })
    return readSchedule(deps, tx, { id, user })
  })
}

type ScheduleFields = Omit<UpdateScheduleRequest, 'revision'>

/** An absent field stays as it is. Throws `conflict` with the current schedule as details. */
export function updateSchedule(
  deps: SchedulesDeps,
  { fields, ...change }: Change & { fields: ScheduleFields },
): Promise<ScheduledRun> {
  const { user, revision } = change
  return deps.db.transaction(async (tx) => {
    const { schedule, subject } = await openSchedule(deps, tx, change)
    const canChange = isDeactivation(fields) ? canDeactivateSchedule : canEditSchedule
    if (!canChange(user, subject)) {
      throw new AppError('forbidden', 'Only the person who made a schedule may change it')
    }
    if (revision !== undefined && revision !== schedule.revision) {
      const details = await readSchedule(deps, tx, change)
      throw new AppError('conflict', 'This schedule was changed since you opened it', { details })
    }
    if (isDeactivation(fields)) await deactivate(deps, tx, schedule)
    else await changeFields(deps, tx, { schedule, user, fields })
    return readSchedule(deps, tx, change)
  })
}

function isDeactivation(fields: ScheduleFields): boolean {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 1 && fields.active === false
}

async function deactivate(deps: SchedulesDeps, tx: Transaction, { id, nextDueAt }: ScheduleRow) {
  await replan(deps, tx, { scheduleId: id, from: nextDueAt, to: null })
  await updateScheduleRow(tx, { id, active: false, nextDueAt: null })
}

async function changeFields(
  deps: SchedulesDeps,
  tx: Transaction,
  { schedule, user, fields }: { schedule: ScheduleRow; user: User; fields: ScheduleFields },
): Promise<void> {
  const { now, chains, ctx } = deps
  const { id } = schedule
  refuseClip({ text: fields.input, stored: schedule.input })
  const { fills: chosen, ...rest } = fields
  const columns = changedColumns(schedule, rest)
  if (columns.chainLabel !== schedule.chainLabel) await chains.requireLabel(tx, { ...schedule, ...columns })

  const isActivated = columns.active && !schedule.active
  let next = schedule.nextDueAt
  if (changesRule(schedule, columns)) next = firstTime(columns, now())
  else if (isActivated) next = firstTimeAfter(columns, now())
  const nextDueAt = columns.active ? next : null
  const failures = isActivated ? { pausedReason: null, failuresInRow: 0 } : {}
  await replan(deps, tx, { scheduleId: id, from: schedule.nextDueAt, to: nextDueAt })
  await updateScheduleRow(tx, {
    id,
    ...columns,
    ...failures,
    ...(chosen && { fills: toFills(chosen) }),
    nextDueAt,
  })
  if (columns.active)
    await askAddresses({ ...ctx, db: tx }, { account: user, addresses: columns.emailRecipients })
}

export function deleteSchedule(deps: SchedulesDeps, wanted: { id: number; user: User }): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const { schedule, subject } = await openSchedule(deps, tx, wanted)
    if (!canDeleteSchedule(wanted.user, subject)) {
      throw new AppError('forbidden', 'You may not delete this scheduled run')
    }
    await replan(deps, tx, { scheduleId: schedule.id, from: schedule.nextDueAt, to: null })
    await deleteScheduleRow(tx, schedule.id)
  })
}

/** Replaces the job of a schedule's next time. */
async function replan(
  { queues }: SchedulesDeps,
  tx: Transaction,
  { scheduleId, from, to }: { scheduleId: number; from: Date | null; to: Date | null },
): Promise<void> {
  if (from?.getTime() === to?.getTime()) return
  if (from !== null) await queues.cancelDue(tx, { scheduleId, dueAt: from })
  if (to !== null) await queues.sendDue(tx, { scheduleId, dueAt: to })
}

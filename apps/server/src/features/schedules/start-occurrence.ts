import type { User } from '@catenary/contracts'
import { latestTimes, nextTimes } from '@catenary/domain/recurrence'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { noteRefusal } from '../activity/activity.ts'
import { destinationsFor } from '../fills/fills.ts'
import { startChainRun } from '../runs/runs.ts'
import { tellEvent } from '../webhooks/webhooks.ts'
import {
  endOccurrence,
  notifyRecipients,
  type OccurrenceEnd,
  type OwnedOccurrence,
} from './end-occurrence.ts'
import {
  countWaiting,
  existsRun,
  findOptionalOccurrence,
  findOptionalPending,
  insertNotStarted,
  insertPending,
  markStarted,
  type OccurrenceRow,
} from './occurrences.sql.ts'
import { type DueTime, RUN_SUBSCRIBER, sendDue } from './schedule-queues.ts'
import { toRule } from './schedule-rule.ts'
import {
  areSchedulesPaused,
  findOptionalSchedule,
  lockOptionalSchedule,
  type OwnedSchedule,
  type ScheduleRow,
  updateScheduleState,
} from './schedules.sql.ts'

/** After a long outage no more than these are recorded. */
const MISSED_MAX = 100

/** Runs of one schedule that may wait for a person at once (D83). */
const WAITING_MAX = 20

const REASONS = {
  missed: 'Catenary was not running',
  overlap: 'The previous run was still running',
  waiting: `${WAITING_MAX} earlier runs are waiting for a person to answer`,
  paused: 'An administrator has paused all schedules',
  disabled: 'The account that created the schedule is disabled',
  inactive: 'The schedule was deactivated before it started',
}

/** By the schedule as it is now, not as it was when the job was sent. */
export async function startDue(ctx: Context, { scheduleId, dueAt }: DueTime): Promise<void> {
  const found = await transaction(ctx, async (ctx) => {
    const owned = await lockOptionalSchedule(ctx.db, scheduleId)
    if (owned === undefined) return undefined
    const { active, nextDueAt } = owned.schedule
    const isNext = active && nextDueAt?.getTime() === dueAt.getTime()
    if (isNext) return { owned, recorded: await recordDue(ctx, { owned, dueAt }) }
    return { owned, abandoned: await findOptionalPending(ctx.db, scheduleId) }
  })
  if (found?.recorded) await startOccurrence(ctx, { owned: found.owned, occurrence: found.recorded })
  else if (found?.abandoned) await restartOccurrence(ctx, found.abandoned)
}

/** For a Run Now whose process died before it could start. */
export async function startPending(ctx: Context, { occurrenceId }: { occurrenceId: number }): Promise<void> {
  const occurrence = await findOptionalOccurrence(ctx.db, occurrenceId)
  if (occurrence?.state === 'pending') await restartOccurrence(ctx, occurrence)
}

interface Due {
  owned: OwnedSchedule
  dueAt: Date
}

async function recordDue(
  ctx: Context<Transaction>,
  { owned, dueAt }: Due,
): Promise<OccurrenceRow | undefined> {
  const { id } = owned.schedule
  // The clock of the process that sent the job may be ahead of ours.
  const now = new Date(Math.max(ctx.now().getTime(), dueAt.getTime()))
  const rule = toRule(owned.schedule)
  const [following] = nextTimes(rule, dueAt, 1)
  const isBehind = following !== undefined && following <= now
  const times = isBehind ? latestTimes(rule, { from: dueAt, until: now, count: MISSED_MAX + 1 }) : [dueAt]
  const nextDueAt = (isBehind ? nextTimes(rule, now, 1)[0] : following) ?? null
  await updateScheduleState(ctx.db, { id, nextDueAt })
  if (nextDueAt !== null) await sendDue(ctx, { scheduleId: id, dueAt: nextDueAt })
  await recordMissed(ctx, { owned, times: times.slice(0, -1) })
  return recordLatest(ctx, { owned, dueAt: times.at(-1) ?? dueAt })
}

async function recordMissed(
  ctx: Context<Transaction>,
  { owned, times, why = REASONS.missed }: { owned: OwnedSchedule; times: Date[]; why?: string },
): Promise<void> {
  const missed = await insertNotStarted(
    ctx.db,
    times.map((dueAt) => ({
      scheduledRunId: owned.schedule.id,
      dueAt,
      state: 'missed' as const,
      reason: why,
    })),
  )
  const occurrence = missed.at(-1)
  if (occurrence === undefined) return
  const before = missed.length - 1
  const more = before === 1 ? 'One earlier run was missed too.' : `${before} earlier runs were missed too.`
  const reason = before === 0 ? why : `${why}. ${more}`
  const end = { state: 'missed' as const, reason, attempt: 0 }
  await notifyRecipients(ctx, { owned, occurrence, end })
  const { id, name, chainId } = owned.schedule
  await tellEvent(ctx, {
    type: 'schedule.missed',
    key: `missed:${occurrence.id}`,
    object: `schedule:${id}`,
    audience: { userId: owned.creator.id },
    data: { schedule: { id, name, chainId }, dueAt: occurrence.dueAt.toISOString(), missed: missed.length },
  })
}

async function recordLatest(
  ctx: Context<Transaction>,
  { owned, dueAt }: Due,
): Promise<OccurrenceRow | undefined> {
  const { id: scheduledRunId, isRecurring } = owned.schedule
  if ((await countWaiting(ctx.db, scheduledRunId)) >= WAITING_MAX) {
    await recordMissed(ctx, { owned, times: [dueAt], why: REASONS.waiting })
    return undefined
  }
  const refusal = await findRefusal(ctx, owned)
  const pending = refusal === undefined ? await insertPending(ctx.db, { scheduledRunId, dueAt }) : undefined
  if (pending !== undefined) return pending
  const end = { state: 'skipped' as const, reason: refusal ?? REASONS.overlap, attempt: 0 }
  const { state, reason } = end
  const [occurrence] = await insertNotStarted(ctx.db, [{ scheduledRunId, dueAt, state, reason }])
  if (occurrence === undefined) return undefined
  if (!isRecurring) await updateScheduleState(ctx.db, { id: scheduledRunId, active: false })
  await notifyRecipients(ctx, { owned, occurrence, end })
  return undefined
}

async function startOccurrence(ctx: Context, started: OwnedOccurrence): Promise<void> {
  const end = await tryStart(ctx, started)
  if (end !== undefined) await endOccurrence(ctx, { occurrence: started.occurrence, end })
}

/** Once more, after a process died. It may have died after the start: then the run has the id that was reserved. */
async function restartOccurrence(ctx: Context, occurrence: OccurrenceRow): Promise<void> {
  const { db, now } = ctx
  const { id, scheduledRunId, executionId } = occurrence
  if (executionId !== null && (await existsRun(db, executionId))) {
    return markStarted(db, { id, startedAt: now() })
  }
  const owned = await findOptionalSchedule(db, scheduledRunId)
  if (owned === undefined) return
  const isOn = owned.schedule.active || occurrence.isManual
  const reason = isOn ? await findRefusal(ctx, owned) : REASONS.inactive
  if (reason === undefined) return startOccurrence(ctx, { owned, occurrence })
  await endOccurrence(ctx, { occurrence, end: { state: 'skipped', reason, attempt: 0 } })
}

async function tryStart(
  ctx: Context,
  { owned: { schedule, creator }, occurrence }: OwnedOccurrence,
): Promise<OccurrenceEnd | undefined> {
  const { db, now, metrics } = ctx
  const { id, dueAt, isManual } = occurrence
  const startedAt = now()
  try {
    await startRun(ctx, { schedule, occurrence, user: creator })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const isLost = error.code === 'not_found' || error.code === 'forbidden'
    if (!isLost) return { state: 'failed', reason: error.message, attempt: 0 }
    noteRefusal(ctx, {
      kind: 'chain.run_refused',
      objectType: 'chain',
      objectId: schedule.chainId,
      personId: creator.id,
      ownerId: creator.id,
      door: 'schedule',
      address: null,
    })
    const isOfModel = error.details === 'model_forbidden'
    const reason = isOfModel ? error.message : `${creator.username} may no longer run the chain`
    return { state: 'skipped', reason, attempt: 0 }
  }
  const lateMs = Math.max(0, startedAt.getTime() - dueAt.getTime())
  if (!isManual) metrics?.scheduleStarted({}, lateMs / 1000)
  await markStarted(db, { id, startedAt })
  return undefined
}

async function findRefusal({ db }: SqlContext, owned: OwnedSchedule): Promise<string | undefined> {
  if (owned.isDisabled) return REASONS.disabled
  return (await areSchedulesPaused(db)) ? REASONS.paused : undefined
}

export function startRun(
  ctx: Context,
  { schedule, occurrence, user }: { schedule: ScheduleRow; occurrence: OccurrenceRow; user: User },
) {
  return startChainRun(ctx, {
    user,
    chainId: schedule.chainId,
    allowed: { fills: schedule.fills },
    sends: destinationsFor(schedule.chainId, schedule.sends),
    label: schedule.chainLabel,
    input: schedule.input,
    trigger: 'schedule',
    id: occurrence.executionId ?? undefined,
    subscribers: { [RUN_SUBSCRIBER]: String(occurrence.id) },
  })
}

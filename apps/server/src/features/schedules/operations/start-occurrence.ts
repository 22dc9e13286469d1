import type { User } from '@catenary/contracts'
import { latestTimes, nextTimes } from '@catenary/domain/recurrence'
import type { Executor, Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import {
  existsRun,
  findOptionalOccurrence,
  findOptionalPending,
  insertNotStarted,
  insertPending,
  markStarted,
  type OccurrenceRow,
} from '../occurrences.repository.ts'
import { type DueTime, RUN_SUBSCRIBER } from '../schedule-queues.ts'
import { toRule } from '../schedule-rule.ts'
import {
  areSchedulesPaused,
  findOptionalSchedule,
  lockOptionalSchedule,
  type OwnedSchedule,
  type ScheduleRow,
  updateScheduleState,
} from '../schedules.repository.ts'
import type { SchedulesDeps } from '../schedules-deps.ts'
import {
  endOccurrence,
  notifyRecipients,
  type OccurrenceEnd,
  type OwnedOccurrence,
} from './end-occurrence.ts'

/** After a long outage no more than these are recorded. */
const MISSED_MAX = 100

const REASONS = {
  missed: 'Catenary was not running',
  overlap: 'The previous run was still going on',
  paused: 'An administrator has paused all schedules',
  disabled: 'The account that made the schedule is disabled',
  inactive: 'The schedule was deactivated before it started',
}

/** What the schedule says now decides, not what it said when the job was sent. */
export async function startDue(deps: SchedulesDeps, { scheduleId, dueAt }: DueTime): Promise<void> {
  const found = await deps.db.transaction(async (tx) => {
    const owned = await lockOptionalSchedule(tx, scheduleId)
    if (owned === undefined) return undefined
    const { active, nextDueAt } = owned.schedule
    const isNext = active && nextDueAt?.getTime() === dueAt.getTime()
    if (isNext) return { owned, recorded: await recordDue(deps, tx, { owned, dueAt }) }
    return { owned, abandoned: await findOptionalPending(tx, scheduleId) }
  })
  if (found?.recorded) await startOccurrence(deps, { owned: found.owned, occurrence: found.recorded })
  else if (found?.abandoned) await restartOccurrence(deps, found.abandoned)
}

/** For a Run Now whose process died before it could start. */
export async function startPending(
  deps: SchedulesDeps,
  { occurrenceId }: { occurrenceId: number },
): Promise<void> {
  const occurrence = await findOptionalOccurrence(deps.db, occurrenceId)
  if (occurrence?.state === 'pending') await restartOccurrence(deps, occurrence)
}

interface Due {
  owned: OwnedSchedule
  dueAt: Date
}

/** Records what became due and plans what comes next. Returns the occurrence to start, if one is to start. */
async function recordDue(
  deps: SchedulesDeps,
  tx: Transaction,
  { owned, dueAt }: Due,
): Promise<OccurrenceRow | undefined> {
  const { id } = owned.schedule
  // The clock of the process that sent the job may be ahead of ours.
  const now = new Date(Math.max(deps.now().getTime(), dueAt.getTime()))
  const rule = toRule(owned.schedule)
  const [following] = nextTimes(rule, dueAt, 1)
  const isBehind = following !== undefined && following <= now
  const times = isBehind ? latestTimes(rule, { from: dueAt, until: now, count: MISSED_MAX + 1 }) : [dueAt]
  const nextDueAt = (isBehind ? nextTimes(rule, now, 1)[0] : following) ?? null
  await updateScheduleState(tx, { id, nextDueAt })
  if (nextDueAt !== null) await deps.queues.sendDue(tx, { scheduleId: id, dueAt: nextDueAt })
  await recordMissed(deps, tx, { owned, times: times.slice(0, -1) })
  return recordLatest(deps, tx, { owned, dueAt: times.at(-1) ?? dueAt })
}

async function recordMissed(
  deps: SchedulesDeps,
  tx: Transaction,
  { owned, times }: { owned: OwnedSchedule; times: Date[] },
): Promise<void> {
  const missed = await insertNotStarted(
    tx,
    times.map((dueAt) => ({
      scheduledRunId: owned.schedule.id,
      dueAt,
      state: 'missed' as const,
      reason: REASONS.missed,
    })),
  )
  const occurrence = missed.at(-1)
  if (occurrence === undefined) return
  const before = missed.length - 1
  const more =
    before === 1 ? 'One run before it was missed too.' : `${before} runs before it were missed too.`
  const reason = before === 0 ? REASONS.missed : `${REASONS.missed}. ${more}`
  const end = { state: 'missed' as const, reason, attempt: 0 }
  await notifyRecipients(deps, tx, { owned, occurrence, end })
  const { id, name, chainId } = owned.schedule
  await deps.webhooks.tell(tx, {
    type: 'schedule.missed',
    key: `missed:${occurrence.id}`,
    object: `schedule:${id}`,
    audience: { userId: owned.creator.id },
    data: { schedule: { id, name, chainId }, dueAt: occurrence.dueAt.toISOString(), missed: missed.length },
  })
}

async function recordLatest(
  deps: SchedulesDeps,
  tx: Transaction,
  { owned, dueAt }: Due,
): Promise<OccurrenceRow | undefined> {
  const { id: scheduledRunId, isRecurring } = owned.schedule
  const refusal = await findRefusal(tx, owned)
  const pending = refusal === undefined ? await insertPending(tx, { scheduledRunId, dueAt }) : undefined
  if (pending !== undefined) return pending
  const end = { state: 'skipped' as const, reason: refusal ?? REASONS.overlap, attempt: 0 }
  const { state, reason } = end
  const [occurrence] = await insertNotStarted(tx, [{ scheduledRunId, dueAt, state, reason }])
  if (occurrence === undefined) return undefined
  if (!isRecurring) await updateScheduleState(tx, { id: scheduledRunId, active: false })
  await notifyRecipients(deps, tx, { owned, occurrence, end })
  return undefined
}

/** Starts its run; where that is refused, the occurrence ends. */
async function startOccurrence(deps: SchedulesDeps, started: OwnedOccurrence): Promise<void> {
  const end = await tryStart(deps, started)
  if (end !== undefined) await endOccurrence(deps, { occurrence: started.occurrence, end })
}

/** Once more, after a process died. It may have died after the start: then the run has the id that was reserved. */
async function restartOccurrence(deps: SchedulesDeps, occurrence: OccurrenceRow): Promise<void> {
  const { db, now } = deps
  const { id, scheduledRunId, executionId } = occurrence
  if (executionId !== null && (await existsRun(db, executionId))) {
    return markStarted(db, { id, startedAt: now() })
  }
  const owned = await findOptionalSchedule(db, scheduledRunId)
  if (owned === undefined) return
  const isOn = owned.schedule.active || occurrence.isManual
  const reason = isOn ? await findRefusal(db, owned) : REASONS.inactive
  if (reason === undefined) return startOccurrence(deps, { owned, occurrence })
  await endOccurrence(deps, { occurrence, end: { state: 'skipped', reason, attempt: 0 } })
}

/** Starts its run, or says how the occurrence ends without one. */
async function tryStart(
  deps: SchedulesDeps,
  { owned: { schedule, creator }, occurrence }: OwnedOccurrence,
): Promise<OccurrenceEnd | undefined> {
  const { db, now, observeLateness } = deps
  const { id, dueAt, isManual } = occurrence
  const startedAt = now()
  try {
    await startRun(deps, { schedule, occurrence, user: creator })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const isLost = error.code === 'not_found' || error.code === 'forbidden'
    if (!isLost) return { state: 'failed', reason: error.message, attempt: 0 }
    const isOfModel = error.details === 'model_forbidden'
    const reason = isOfModel ? error.message : `${creator.username} may no longer run the chain`
    return { state: 'skipped', reason, attempt: 0 }
  }
  if (!isManual) observeLateness?.({}, Math.max(0, startedAt.getTime() - dueAt.getTime()) / 1000)
  await markStarted(db, { id, startedAt })
  return undefined
}

/** Why a schedule may not start now, whatever its chain says. */
async function findRefusal(executor: Executor, owned: OwnedSchedule): Promise<string | undefined> {
  if (owned.isDisabled) return REASONS.disabled
  return (await areSchedulesPaused(executor)) ? REASONS.paused : undefined
}

/** Under the id that the occurrence reserved, so that it can start only once. */
export function startRun(
  { chainRuns }: SchedulesDeps,
  { schedule, occurrence, user }: { schedule: ScheduleRow; occurrence: OccurrenceRow; user: User },
) {
  return chainRuns.start({
    user,
    chainId: schedule.chainId,
    allowed: { fills: schedule.fills },
    label: schedule.chainLabel,
    input: schedule.input,
    trigger: 'schedule',
    id: occurrence.executionId ?? undefined,
    subscribers: { [RUN_SUBSCRIBER]: String(occurrence.id) },
  })
}

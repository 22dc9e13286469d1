import {
  type ListedSchedule,
  type ListQuery,
  type ScheduledChain,
  type ScheduledRun,
  type StartedRun,
  schedulerApi,
  schedulesApi,
  type User,
} from '@catenary/contracts'
import { nextTimes } from '@catenary/domain/recurrence'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import { findChainAccess } from '../chains/chains.ts'
import { onRunEnded } from '../runs/runs.ts'
import { createSchedule, deleteSchedule, updateSchedule } from './change-schedule.ts'
import { handleRunEnd } from './end-occurrence.ts'
import {
  deleteOccurrence,
  insertPending,
  markStarted,
  moveBackAhead,
  type OccurrenceRow,
} from './occurrences.sql.ts'
import { openSchedule, readSchedule } from './open-schedule.ts'
import {
  cancelDue,
  cancelManual,
  RUN_SUBSCRIBER,
  scheduleQueues,
  sendDue,
  sendManual,
} from './schedule-queues.ts'
import { toRule } from './schedule-rule.ts'
import { toListedSchedules } from './schedule-views.ts'
import { pauseSchedules, readSchedulerState, watchSchedules } from './scheduler-state.ts'
import { canRunNow } from './schedules.policy.ts'
import {
  areSchedulesPaused,
  countSchedules,
  listNextTimes,
  listPlannedAhead,
  listScheduleRows,
  lockOptionalSchedule,
  type ScheduleRow,
  updateScheduleState,
} from './schedules.sql.ts'
import { startDue, startPending, startRun } from './start-occurrence.ts'

export { deleteOldOccurrences, readSchedulerState } from './scheduler-state.ts'

/** Runs of chains at the times that a person sets (ADR 016). */
export const serveSchedules = handlers(schedulesApi, {
  'POST /api/chains/{id}/schedule': (ctx, { params: { id: chainId }, body: fields, user }) =>
    createSchedule(ctx, { chainId, user, fields }),
  'GET /api/chains/{id}/scheduled-runs': (ctx, { params: { id: chainId }, query, user }) =>
    listSchedules(ctx, { chainId, user, query }),
  'GET /api/scheduled-chains': listScheduledChains,
  'GET /api/scheduled-runs/{id}': (ctx, { params, user }) => findSchedule(ctx, { ...params, user }),
  'PATCH /api/scheduled-runs/{id}': (ctx, { params, body: { revision, ...fields }, user }) =>
    updateSchedule(ctx, { ...params, user, revision, fields }),
  'DELETE /api/scheduled-runs/{id}': (ctx, { params, user }) => deleteSchedule(ctx, { ...params, user }),
  'POST /api/scheduled-runs/{id}/execute': (ctx, { params, user }) => runSchedule(ctx, { ...params, user }),
})

export const serveScheduler = handlers(schedulerApi, {
  'GET /api/admin/schedules': readSchedulerState,
  'POST /api/admin/schedules': (ctx, { body }) => pauseSchedules(ctx, body),
})

/** In each process. */
const DUE_AT_ONCE = 16
const CLOCK_SECONDS = 300

export function workSchedules(ctx: Context): void {
  const { due, clock, manual } = scheduleQueues(ctx)
  due.work({
    concurrency: DUE_AT_ONCE,
    handle: ({ payload: { scheduleId, dueAt } }) => startDue(ctx, { scheduleId, dueAt: new Date(dueAt) }),
  })
  clock.work({ repeatSeconds: CLOCK_SECONDS, atStart: 'clock', handle: () => settleClock(ctx) })
  manual.work({ handle: ({ payload }) => startPending(ctx, payload) })
  watchSchedules(ctx)
  onRunEnded(ctx, { subscriber: RUN_SUBSCRIBER, handle: (end) => handleRunEnd(ctx, end) })
}

/** Fewer than elsewhere, as each carries its last occurrences. */
const PAGE_MAX = 100
const CURSOR = defineCursor({
  list: 'schedules',
  position: z.strictObject({ time: cursorPosition.time, id: cursorPosition.id }),
})

async function listSchedules(
  ctx: Context,
  { chainId, user, query }: { chainId: number; user: User; query: ListQuery },
): Promise<ListPage<ListedSchedule>> {
  const after = CURSOR.read(query.cursor)
  const limit = Math.min(query.limit, PAGE_MAX)
  const { chain, listed, total } = await transaction(ctx, async (ctx) => {
    const chain = await findChainAccess(ctx, { id: chainId, user })
    const filter = { chainId, createdBy: chain?.canEdit === true ? undefined : user.id }
    const listed = await listScheduleRows(ctx.db, { ...filter, after, limit: limit + 1 })
    if (chain?.canView !== true && listed.length === 0) throw new AppError('not_found', 'Chain not found')
    return { chain, listed, total: after ? undefined : { count: await countSchedules(ctx.db, filter) } }
  })
  return toPage({
    rows: await toListedSchedules(ctx, { listed, chain, viewer: user }),
    limit,
    toItem: (row) => row,
    total,
    cursorOf: ({ scheduledTime, id }) => CURSOR.write({ time: scheduledTime, id }),
  })
}

async function findSchedule(ctx: Context, wanted: { id: number; user: User }): Promise<ScheduledRun> {
  await transaction(ctx, (ctx) => openSchedule(ctx, wanted))
  return readSchedule(ctx, wanted)
}

async function listScheduledChains({ db }: SqlContext, { user }: { user: User }): Promise<ScheduledChain[]> {
  const rows = await listNextTimes(db, user)
  return rows.map(({ nextDueAt, ...row }) => ({ ...row, nextRunAt: nextDueAt.toISOString() }))
}

/** If a start by hand has not come through by then, its process has died. */
const RETRY_MS = 60_000

async function runSchedule(ctx: Context, { id, user }: { id: number; user: User }): Promise<StartedRun> {
  const reserved = await transaction(ctx, async (ctx) => {
    const { schedule } = await openSchedule(ctx, { id, user })
    if (!canRunNow(user, schedule)) {
      throw new AppError('forbidden', 'Only the person who created a schedule may run it')
    }
    if (await areSchedulesPaused(ctx.db)) {
      throw new AppError('conflict', 'An administrator has paused all schedules')
    }
    const dueAt = ctx.now()
    const occurrence = await insertPending(ctx.db, { scheduledRunId: id, dueAt, isManual: true })
    if (occurrence === undefined) {
      throw new AppError('conflict', 'A run of this schedule is still running')
    }
    const runAt = new Date(dueAt.getTime() + RETRY_MS)
    await sendManual(ctx, { occurrenceId: occurrence.id, runAt })
    return { occurrence, schedule, user }
  })
  return startReserved(ctx, reserved)
}

async function startReserved(
  ctx: Context,
  { occurrence, schedule, user }: { occurrence: OccurrenceRow; schedule: ScheduleRow; user: User },
): Promise<StartedRun> {
  try {
    const { id, executedAt } = await startRun(ctx, { schedule, occurrence, user })
    await markStarted(ctx.db, { id: occurrence.id, startedAt: ctx.now() })
    await transaction(ctx, (ctx) => cancelManual(ctx, occurrence.id))
    return { id, chainId: schedule.chainId, status: 'running', executedAt: executedAt.toISOString() }
  } catch (error) {
    if (error instanceof AppError) {
      await transaction(ctx, async (ctx) => {
        await cancelManual(ctx, occurrence.id)
        await deleteOccurrence(ctx.db, occurrence.id)
      })
    }
    throw error
  }
}

/**
 * While a clock was ahead, recurring schedules ran at times still to come, and were planned from there. They are
 * planned from now again; what ran keeps its run under the time when this was found, so that the planned times are
 * free.
 */
async function settleClock(ctx: Context): Promise<void> {
  for (const id of await listPlannedAhead(ctx.db, latestBelieved(ctx.now()))) await planFromNow(ctx, id)
}

function planFromNow(ctx: Context, id: number): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const owned = await lockOptionalSchedule(ctx.db, id)
    if (owned === undefined) return
    await moveBackAhead(ctx.db, { scheduledRunId: id, after: latestBelieved(ctx.now()), to: ctx.now() })
    const { nextDueAt, active } = owned.schedule
    const [next = null] = nextTimes(toRule(owned.schedule), ctx.now(), 1)
    if (!active || next === null || (nextDueAt !== null && nextDueAt <= next)) return
    if (nextDueAt !== null) await cancelDue(ctx, { scheduleId: id, dueAt: nextDueAt })
    await sendDue(ctx, { scheduleId: id, dueAt: next })
    await updateScheduleState(ctx.db, { id, nextDueAt: next })
  })
}

import { latestTimes, nextTimes } from '@catenary/domain/recurrence'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { Executions } from '../executions/executions.service.ts'
import type { Due, DuePlan, OccurrenceEnd, OccurrenceEnds } from './occurrence-ends.service.ts'
import {
  createNotStarted,
  createPending,
  existsRun,
  findOptionalOccurrence,
  findOptionalPending,
  noteStart,
  type OccurrenceRow,
} from './occurrences.repository.ts'
import { toRule } from './schedule-rule.ts'
import {
  areSchedulesPaused,
  findOptionalSchedule,
  lockOptionalSchedule,
  noteOnSchedule,
  type OwnedSchedule,
} from './schedules.repository.ts'

/** By this name runs tell of their end. */
export const SUBSCRIBER = 'schedules'
/** Of a schedule that nobody looked after for long, as many are noted. */
const MISSED_NOTED = 100

const REASONS = {
  missed: 'Catenary was not running',
  overlap: 'The previous run was still going on',
  paused: 'An administrator has paused all schedules',
  disabled: 'The account that made the schedule is disabled',
  inactive: 'The schedule was deactivated before it started',
}

/** As `onRunEnded` tells it. */
interface RunEnd {
  key: string
  executionId: number
  status: 'completed' | 'failed' | 'cancelled' | 'deleted'
  reference: string
}

interface SchedulerDeps {
  db: Database
  now: () => Date
  chainRuns: Pick<Executions['chainRuns'], 'start'>
  runs: Pick<Executions['runs'], 'find'>
  ends: OccurrenceEnds
  duePlan: DuePlan
  /** Told how long after it was due an occurrence started. */
  observe?: ((labels: object, seconds: number) => void) | undefined
}

export type SchedulerService = ReturnType<typeof createSchedulerService>

/** Starts what is due, each occurrence once, and hears how it ended. */
export function createSchedulerService({ db, now, chainRuns, runs, ends, duePlan, observe }: SchedulerDeps) {
  /** Notes what became due, and plans what comes next: in one transaction, so that neither is without the other. */
  async function takeUp(
    tx: Transaction,
    owned: OwnedSchedule,
    dueAt: Date,
  ): Promise<OccurrenceRow | undefined> {
    const { schedule } = owned
    const { id: scheduleId } = schedule
    // The clock that woke us may be ahead of ours.
    const at = new Date(Math.max(now().getTime(), dueAt.getTime()))
    const rule = toRule(schedule)
    const [following] = nextTimes(rule, dueAt, 1)
    const isBehind = following !== undefined && following <= at
    const times = isBehind ? latestTimes(rule, { from: dueAt, until: at, count: MISSED_NOTED + 1 }) : [dueAt]
    const nextDueAt = (isBehind ? nextTimes(rule, at, 1)[0] : following) ?? null
    await noteOnSchedule(tx, { id: scheduleId, nextDueAt })
    if (nextDueAt !== null) await duePlan.plan(tx, { scheduleId, dueAt: nextDueAt })
    await noteMissed(tx, owned, times.slice(0, -1))
    return noteDue(tx, owned, times.at(-1) ?? dueAt)
  }

  async function noteMissed(tx: Transaction, owned: OwnedSchedule, times: Date[]): Promise<void> {
    const missed = { scheduledRunId: owned.schedule.id, state: 'missed', reason: REASONS.missed } as const
    const noted = await createNotStarted(
      tx,
      times.map((dueAt) => ({ ...missed, dueAt })),
    )
    const last = noted.at(-1)
    if (last === undefined) return
    const before = noted.length - 1
    const more =
      before === 1 ? 'One run before it was missed too.' : `${before} runs before it were missed too.`
    const reason = before === 0 ? REASONS.missed : `${REASONS.missed}. ${more}`
    await ends.tell(tx, { owned, occurrence: last }, { state: 'missed', reason, attempt: 0 })
  }

  /** The occurrence that is to start, if it is. */
  async function noteDue(
    tx: Transaction,
    owned: OwnedSchedule,
    dueAt: Date,
  ): Promise<OccurrenceRow | undefined> {
    const { id: scheduledRunId, isRecurring } = owned.schedule
    const refusal = await findRefusal(tx, owned)
    const pending = refusal === undefined ? await createPending(tx, { scheduledRunId, dueAt }) : undefined
    if (pending !== undefined) return pending
    const reason = refusal ?? REASONS.overlap
    const [skipped] = await createNotStarted(tx, [{ scheduledRunId, dueAt, state: 'skipped', reason }])
    if (skipped === undefined) return undefined
    if (!isRecurring) await noteOnSchedule(tx, { id: scheduledRunId, active: false })
    await ends.tell(tx, { owned, occurrence: skipped }, { state: 'skipped', reason, attempt: 0 })
    return undefined
  }

  /** Why it is not to start, whatever its chain says. */
  async function findRefusal(executor: Executor, owned: OwnedSchedule): Promise<string | undefined> {
    if (owned.isDisabled) return REASONS.disabled
    return (await areSchedulesPaused(executor)) ? REASONS.paused : undefined
  }

  async function begin(occurrence: OccurrenceRow, owned: OwnedSchedule): Promise<OccurrenceEnd | undefined> {
    const { schedule, creator } = owned
    const { id, executionId, dueAt, isManual } = occurrence
    const startedAt = now()
    try {
      await chainRuns.start({
        ...{ user: creator, chainId: schedule.chainId, label: schedule.chainLabel },
        ...{ input: schedule.input, trigger: 'schedule' },
        id: executionId ?? undefined,
        subscribers: { [SUBSCRIBER]: String(id) },
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const isLost = error.code === 'not_found' || error.code === 'forbidden'
      if (!isLost) return { state: 'failed', reason: error.message, attempt: 0 }
      return { state: 'skipped', reason: `${creator.username} may no longer run the chain`, attempt: 0 }
    }
    if (!isManual) observe?.({}, Math.max(0, startedAt.getTime() - dueAt.getTime()) / 1000)
    await noteStart(db, { id, startedAt })
    return undefined
  }

  async function start(occurrence: OccurrenceRow, owned: OwnedSchedule): Promise<void> {
    const end = await begin(occurrence, owned)
    if (end !== undefined) await conclude(occurrence, end)
  }

  /** After a death, which may have come after the start: then there is a run of the id that the occurrence reserved. */
  async function startAgain(occurrence: OccurrenceRow): Promise<void> {
    const { id, scheduledRunId, executionId } = occurrence
    if (executionId !== null && (await existsRun(db, executionId))) {
      return noteStart(db, { id, startedAt: now() })
    }
    const owned = await findOptionalSchedule(db, scheduledRunId)
    if (owned === undefined) return
    const isOn = owned.schedule.active || occurrence.isManual
    const reason = isOn ? await findRefusal(db, owned) : REASONS.inactive
    if (reason === undefined) return start(occurrence, owned)
    await conclude(occurrence, { state: 'skipped', reason, attempt: 0 })
  }

  async function conclude(occurrence: OccurrenceRow, end: OccurrenceEnd): Promise<void> {
    await db.transaction(async (tx) => {
      const owned = await lockOptionalSchedule(tx, occurrence.scheduledRunId)
      if (owned !== undefined) await ends.conclude(tx, { owned, occurrence }, end)
    })
  }

  return {
    /** Takes up a schedule at its due time; what it says now decides. */
    async due({ scheduleId, dueAt }: Due): Promise<void> {
      const taken = await db.transaction(async (tx) => {
        const owned = await lockOptionalSchedule(tx, scheduleId)
        if (owned === undefined) return undefined
        const { active, nextDueAt } = owned.schedule
        const isNext = active && nextDueAt?.getTime() === dueAt.getTime()
        if (!isNext) return { left: await findOptionalPending(tx, scheduleId) }
        return { owned, pending: await takeUp(tx, owned, dueAt) }
      })
      if (taken?.pending !== undefined) await start(taken.pending, taken.owned)
      else if (taken?.left !== undefined) await startAgain(taken.left)
    },

    /** Starts an occurrence of Run Now whose process died before it could. */
    async startPending(occurrenceId: number): Promise<void> {
      const occurrence = await findOptionalOccurrence(db, occurrenceId)
      if (occurrence?.state === 'pending') await startAgain(occurrence)
    },

    /** A run of an occurrence has ended; may be told of more than once, and of several ends of one run. */
    async runEnded({ key, executionId, status, reference }: RunEnd): Promise<void> {
      const occurrence = await findOptionalOccurrence(db, Number(reference))
      const owned = occurrence && (await findOptionalSchedule(db, occurrence.scheduledRunId))
      if (occurrence === undefined || owned === undefined) return
      const isTold = status === 'failed' || owned.schedule.emailRecipients.length > 0
      const run = isTold && status !== 'deleted' ? await findRun(executionId, owned) : undefined
      await conclude(occurrence, { ...endOf(status, run?.error), run, attempt: attemptOf(key) })
    },
  }

  async function findRun(id: number, { creator: user }: OwnedSchedule) {
    try {
      return await runs.find({ id, user })
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    }
  }
}

function endOf(
  status: RunEnd['status'],
  error: string | null | undefined,
): Pick<OccurrenceEnd, 'state' | 'reason' | 'isByHand'> {
  switch (status) {
    case 'completed':
      return { state: 'completed', reason: null }
    case 'failed':
      return { state: 'failed', reason: error ?? 'Its run is gone' }
    case 'cancelled':
      return { state: 'failed', reason: 'The run was stopped', isByHand: true }
    case 'deleted':
      return { state: 'failed', reason: 'The run was deleted before it ended', isByHand: true }
  }
}

/** Keys of ends are run and attempt, which grows when a run goes on. */
function attemptOf(key: string): number {
  return Number(key.split(':')[1])
}

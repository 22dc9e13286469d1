import {
  type createScheduleRequest,
  type ListedSchedule,
  type ListQuery,
  SCHEDULES_MAX,
  type ScheduledChain,
  type ScheduledRun,
  type StartedExecution,
  type UpdateScheduleRequest,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { defineCursor, type ListPage, placeOf, refuseClip, toPage } from '../../list-page.ts'
import type { Change } from '../../record-access.ts'
import type { ChainRights, ChainsService } from '../chains/chains.service.ts'
import type { Executions } from '../executions/executions.service.ts'
import type { MailsService } from '../mails/mails.service.ts'
import type { DuePlan } from './occurrence-ends.service.ts'
import { createPending, deleteOccurrence, noteStart } from './occurrences.repository.ts'
import { changedColumns, changesRule, firstTime, firstTimeAfter, toColumns } from './schedule-rule.ts'
import { showListed, showSchedules } from './schedule-views.service.ts'
import { SUBSCRIBER } from './scheduler.service.ts'
import {
  canDeactivateSchedule,
  canDeleteSchedule,
  canEditSchedule,
  canRunNow,
  canSeeSchedule,
} from './schedules.policy.ts'
import {
  areSchedulesPaused,
  countSchedules,
  countSchedulesOf,
  createSchedule,
  deleteSchedule,
  findOptionalSchedule,
  findTimeZone,
  listScheduledChains,
  listSchedules,
  lockOptionalSchedule,
  type OwnedSchedule,
  updateSchedule,
} from './schedules.repository.ts'

/** Each with its strip. */
const PAGE_MAX = 100
const CURSOR = defineCursor({
  list: 'schedules',
  place: z.strictObject({ time: placeOf.time, id: placeOf.id }),
})
/** A start by hand that has not come through by then died with its process. */
const START_AGAIN_MS = 60_000
/** As before any failure. */
const AFRESH = { pausedReason: null, failuresInRow: 0 }

export type SchedulesService = ReturnType<typeof createSchedulesService>

export interface SchedulesDeps {
  db: Database
  now: () => Date
  chains: Pick<ChainsService, 'findAccess' | 'requireLabel'>
  chainRuns: Pick<Executions['chainRuns'], 'start'>
  mails: MailsService
  duePlan: DuePlan
  startLater: (tx: Transaction, start: { occurrenceId: number; at: Date }) => Promise<void>
  cancelStart: (tx: Transaction, occurrenceId: number) => Promise<void>
}

interface Opened {
  owned: OwnedSchedule
  chain: ChainRights | undefined
}

/** Schedules: who sees and changes them (D55), and what is planned for each. */
export function createSchedulesService({
  db,
  now,
  chains,
  chainRuns,
  mails,
  duePlan,
  startLater,
  cancelStart,
}: SchedulesDeps) {
  /** Throws `not_found` for a schedule that the person can't see. */
  async function open(tx: Transaction, { id, user }: { id: number; user: User }): Promise<Opened> {
    const owned = await lockOptionalSchedule(tx, id)
    const chain = owned && (await chains.findAccess(tx, { id: owned.schedule.chainId, user }))
    const canEditChain = chain?.canEdit === true
    if (owned === undefined || !canSeeSchedule(user, { ...owned.schedule, canEditChain })) {
      throw new AppError('not_found', 'Scheduled run not found')
    }
    return { owned, chain }
  }

  async function show(tx: Transaction, { id, user }: { id: number; user: User }): Promise<ScheduledRun> {
    const owned = await findOptionalSchedule(tx, id)
    if (owned === undefined) throw new Error(`There is no schedule ${id}`)
    const chain = await chains.findAccess(tx, { id: owned.schedule.chainId, user })
    const [shown] = await showSchedules(tx, { mails, schedules: [owned], chain, viewer: user })
    return shown as ScheduledRun
  }

  /** Replaces what is planned for a schedule. */
  async function replan(
    tx: Transaction,
    { id, from, to }: { id: number; from: Date | null; to: Date | null },
  ) {
    if (from?.getTime() === to?.getTime()) return
    if (from !== null) await duePlan.cancel(tx, { scheduleId: id, dueAt: from })
    if (to !== null) await duePlan.plan(tx, { scheduleId: id, dueAt: to })
  }

  async function edit(
    tx: Transaction,
    { owned: { schedule }, user, fields }: Pick<Opened, 'owned'> & { user: User; fields: ScheduleChange },
  ): Promise<void> {
    const { id } = schedule
    const columns = changedColumns(schedule, fields)
    if (columns.chainLabel !== schedule.chainLabel) await chains.requireLabel(tx, { ...schedule, ...columns })
    const isActivated = columns.active && !schedule.active
    let next = schedule.nextDueAt
    if (changesRule(schedule, columns)) next = firstTime(columns, now())
    else if (isActivated) next = firstTimeAfter(columns, now())
    const nextDueAt = columns.active ? next : null
    await replan(tx, { id, from: schedule.nextDueAt, to: nextDueAt })
    await updateSchedule(tx, { id, ...columns, ...(isActivated && AFRESH), nextDueAt })
    if (columns.active) await mails.ask(tx, { account: user, addresses: columns.emailRecipients })
  }

  return {
    /** Of a chain: one's own; for who may edit it, all. Own ones stay listed when the chain is out of sight. */
    list({ chainId, user, query }: Listed): Promise<ListPage<ListedSchedule>> {
      return db.transaction(async (tx) => {
        const chain = await chains.findAccess(tx, { id: chainId, user })
        const listing = { chainId, createdBy: chain?.canEdit === true ? undefined : user.id }
        const after = CURSOR.read(query.cursor)
        const limit = Math.min(query.limit, PAGE_MAX)
        const listed = await listSchedules(tx, { ...listing, after, limit: limit + 1 })
        if (chain?.canView !== true && listed.length === 0) throw new AppError('not_found', 'Chain not found')
        return toPage({
          rows: await showListed(tx, { mails, listed, chain, viewer: user }),
          limit,
          toItem: (row) => row,
          total: after ? undefined : { count: await countSchedules(tx, listing) },
          cursorOf: ({ scheduledTime, id }) => CURSOR.write({ time: scheduledTime, id }),
        })
      })
    },

    /** With its whole input. Throws `not_found` for a schedule that the person can't see. */
    find: (wanted: { id: number; user: User }): Promise<ScheduledRun> =>
      db.transaction(async (tx) => {
        await open(tx, wanted)
        return show(tx, wanted)
      }),

    /** The chains that are scheduled, as far as the person sees the schedules. */
    async listChains(user: User): Promise<ScheduledChain[]> {
      const rows = await listScheduledChains(db, user)
      return rows.map(({ nextDueAt, ...row }) => ({ ...row, nextRunAt: nextDueAt.toISOString() }))
    },

    /** Throws `not_found` for a chain that the person can't see. */
    create({
      chainId,
      user,
      fields,
    }: {
      chainId: number
      user: User
      fields: z.output<typeof createScheduleRequest>
    }): Promise<ScheduledRun> {
      return db.transaction(async (tx) => {
        const chain = await chains.findAccess(tx, { id: chainId, user })
        if (chain?.canView !== true) throw new AppError('not_found', 'Chain not found')
        if (!chain.canExecute) throw new AppError('forbidden', 'You may not execute this chain')
        if ((await countSchedulesOf(tx, user.id)) >= SCHEDULES_MAX) {
          throw new AppError('conflict', `You have ${SCHEDULES_MAX} schedules. Delete one to make another.`)
        }
        const timeZone = fields.timeZone ?? (await findTimeZone(tx, user.id)) ?? 'UTC'
        await chains.requireLabel(tx, { chainId, chainLabel: fields.chainLabel })
        const columns = toColumns({ ...fields, timeZone }, chain.name)
        const first = firstTime(columns, now())
        const nextDueAt = columns.active ? first : null
        const id = await createSchedule(tx, { ...columns, chainId, createdBy: user.id, nextDueAt })
        await replan(tx, { id, from: null, to: nextDueAt })
        if (columns.active) await mails.ask(tx, { account: user, addresses: columns.emailRecipients })
        return show(tx, { id, user })
      })
    },

    /** An absent field stays as it is. Throws `conflict` with the current schedule as details. */
    update({ fields, ...change }: Change & { fields: ScheduleChange }): Promise<ScheduledRun> {
      return db.transaction(async (tx) => {
        const { id, user, revision } = change
        const opened = await open(tx, change)
        const { schedule } = opened.owned
        const subject = { createdBy: schedule.createdBy, canEditChain: opened.chain?.canEdit === true }
        const mayChange = isDeactivation(fields) ? canDeactivateSchedule : canEditSchedule
        if (!mayChange(user, subject)) {
          throw new AppError('forbidden', 'Only the person who made a schedule may change it')
        }
        if (revision !== undefined && revision !== schedule.revision) {
          const details = await show(tx, change)
          throw new AppError('conflict', 'This schedule was changed since you opened it', { details })
        }
        if (isDeactivation(fields)) {
          await replan(tx, { id, from: schedule.nextDueAt, to: null })
          await updateSchedule(tx, { id, active: false, nextDueAt: null })
        } else {
          refuseClip({ text: fields.input, stored: schedule.input })
          await edit(tx, { ...opened, user, fields })
        }
        return show(tx, change)
      })
    },

    delete(wanted: { id: number; user: User }): Promise<void> {
      return db.transaction(async (tx) => {
        const { owned, chain } = await open(tx, wanted)
        const { id, createdBy, nextDueAt } = owned.schedule
        if (!canDeleteSchedule(wanted.user, { createdBy, canEditChain: chain?.canEdit === true })) {
          throw new AppError('forbidden', 'You may not delete this scheduled run')
        }
        await replan(tx, { id, from: nextDueAt, to: null })
        await deleteSchedule(tx, id)
      })
    },

    /** Starts a run of it at once, beside its plan. Throws `conflict` while one goes on. */
    async runNow({ id, user }: { id: number; user: User }): Promise<StartedExecution> {
      const { occurrence, schedule } = await db.transaction(async (tx) => {
        const { schedule } = (await open(tx, { id, user })).owned
        if (!canRunNow(user, schedule)) {
          throw new AppError('forbidden', 'Only the person who made a schedule may run it')
        }
        if (await areSchedulesPaused(tx)) {
          throw new AppError('conflict', 'An administrator has paused all schedules')
        }
        const at = now()
        const occurrence = await createPending(tx, { scheduledRunId: id, dueAt: at, isManual: true })
        if (occurrence === undefined) {
          throw new AppError('conflict', 'A run of this schedule is still going on')
        }
        const again = new Date(at.getTime() + START_AGAIN_MS)
        await startLater(tx, { occurrenceId: occurrence.id, at: again })
        return { occurrence, schedule }
      })
      return startByHand({ user, schedule, occurrence })
    },
  }

  async function startByHand({ user, schedule, occurrence }: ByHand): Promise<StartedExecution> {
    const { id, executionId } = occurrence
    const { chainId, chainLabel: label, input } = schedule
    try {
      const started = await chainRuns.start({
        ...{ user, chainId, label, input, trigger: 'schedule' },
        id: executionId ?? undefined,
        subscribers: { [SUBSCRIBER]: String(id) },
      })
      await noteStart(db, { id, startedAt: now() })
      await db.transaction((tx) => cancelStart(tx, id))
      return {
        ...{ id: started.id, chainId, status: 'running' },
        executedAt: started.executedAt.toISOString(),
      }
    } catch (error) {
      if (error instanceof AppError) {
        await db.transaction(async (tx) => {
          await cancelStart(tx, id)
          await deleteOccurrence(tx, id)
        })
      }
      throw error
    }
  }
}

type ScheduleChange = Omit<UpdateScheduleRequest, 'revision'>

function isDeactivation(fields: ScheduleChange): boolean {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 1 && fields.active === false
}

interface Listed {
  chainId: number
  user: User
  query: ListQuery
}

interface ByHand {
  user: User
  schedule: OwnedSchedule['schedule']
  occurrence: { id: number; executionId: number | null }
}

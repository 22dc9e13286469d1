import { type CurrentWork, WORK_LISTED, type WorkProcess } from '@catenary/contracts'
import { shortenText } from '@catenary/domain'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import type { LiveProcess } from '../../platform/processes/processes.ts'
import { recordActivity } from '../activity/activity.ts'
import { stopRun as stop } from '../runs/runs.ts'
import { findBudget } from '../spending/spending.ts'
import {
  findOptionalRunner,
  listActiveRuns,
  listSlowStatements,
  readConnections,
  readWorkMetrics,
} from './current-work.sql.ts'

const findConnections = async ({ database, db }: Context) =>
  database.kind === 'server' ? readConnections(db) : null

async function countProcesses({ processes }: Context): Promise<Record<string, number>> {
  const live = (await processes.list()).filter(({ isLive }) => isLive)
  const ofRole = (role: LiveProcess['role']) => live.filter((process) => process.role === role).length
  return { all: ofRole('all'), web: ofRole('web'), worker: ofRole('worker') }
}

export function watchWork(ctx: Context): void {
  const { db, disk, jobs } = ctx
  ctx.metrics?.watch({
    gauges: {
      chain_runs_waiting: 'Chain runs that no process has claimed yet, or whose process is gone.',
      chain_runs_oldest_waiting_seconds:
        'Time since the longest-waiting of them was started; 0: none is waiting.',
      jobs_oldest_due_seconds: 'Time since the longest-waiting job became due; 0: none is waiting.',
      processes_live: 'Processes on this database that reported in within the last 20 seconds, by role.',
      database_connections_used:
        'Connections to the PostgreSQL server in use by any program; absent on the embedded database.',
      database_connections_allowed:
        'Connections that the PostgreSQL server allows for users other than superusers; absent on the embedded database.',
      budget_month_left_usd: 'What is left of everyone’s budget this month; absent without a budget.',
      disk_free_bytes: 'Free disk space for the embedded database; absent on a PostgreSQL server.',
    },
    labels: { processes_live: 'role' },
    read: async () => {
      const [figures, processes, connections, oldestDueSeconds, budget] = await Promise.all([
        readWorkMetrics(db),
        countProcesses(ctx),
        findConnections(ctx),
        jobs.readOldestDue(),
        findBudget(ctx, null),
      ])
      return {
        chain_runs_waiting: figures.waitingRuns,
        chain_runs_oldest_waiting_seconds: figures.oldestWaitingSeconds,
        jobs_oldest_due_seconds: oldestDueSeconds,
        processes_live: processes,
        database_connections_used: connections?.used ?? null,
        database_connections_allowed: connections?.allowed ?? null,
        budget_month_left_usd: budget && budget.budgetUsd - budget.spentUsd,
        disk_free_bytes: disk.freeBytes(),
      }
    },
  })
}

/** What Catenary is doing now, over all processes: no texts, and no names of prompts and chains (ADR 006). */
export async function readCurrentWork(ctx: Context): Promise<CurrentWork> {
  const { app, database, db, jobs, processes } = ctx
  const { kind } = database
  const waitingCalls = app.db.$client.waitingCount
  const startedAt = performance.now()
  const isServer = kind === 'server'
  const [underWay, queues, statements, connections, listed] = await Promise.all([
    listActiveRuns(db),
    jobs.readQueues(),
    isServer ? listSlowStatements(db) : [],
    findConnections(ctx),
    processes.list(),
  ])
  return {
    runs: underWay.slice(0, WORK_LISTED),
    hasMoreRuns: underWay.length > WORK_LISTED,
    queues,
    database: {
      kind,
      answeredInMs: Math.round(performance.now() - startedAt),
      waitingCalls,
      connections,
      statements: statements.map((statement) => ({ ...statement, text: maskStatement(statement.text) })),
    },
    processes: listed.slice(0, WORK_LISTED).map(toShown),
    hasMoreProcesses: listed.length > WORK_LISTED,
  }
}

/** Stops anyone's run, wherever it goes on, as they could themselves; it is recorded. Throws `not_found` for one that has ended. */
export async function stopRun(ctx: Context, id: number): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const ownerId = await findOptionalRunner(ctx.db, id)
    if (ownerId === undefined) throw new AppError('not_found', 'This run has ended')
    await recordActivity(ctx, { kind: 'run.stopped', object: 'run', id, ownerId })
  })
  await stop(ctx, id)
}

function toShown({ startedAt, seenAt, now: _now, ...process }: LiveProcess): WorkProcess {
  return { ...process, startedAt: startedAt.toISOString(), seenAt: seenAt.toISOString() }
}

const SHOWN = 300
/** What a text may also be written in, beside single quotes. */
const OTHER_TEXTS = /\$[^\s\d]*\$|\\/

/**
 * The beginning of a statement without quoted parts, which a person may have written; only its first word where
 * quotes can't be told. It may be cut anywhere.
 */
export function maskStatement(text: string): string {
  const bare = text.replaceAll(/\s+/g, ' ').trim()
  if (OTHER_TEXTS.test(bare)) return `${bare.split(' ', 1)[0]} …`
  const masked = bare.replaceAll(/'[^']*(?:'|$)/g, '‘…’')
  return shortenText(masked, SHOWN)
}

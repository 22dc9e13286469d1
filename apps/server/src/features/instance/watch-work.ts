import { ACTIVITY_LISTED, type Activity, type ActivityProcess } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import type { LiveProcess } from '../../platform/processes/processes.ts'
import { recordActivity } from '../activity/activity.ts'
import { stopRun as stop } from '../runs/runs.ts'
import {
  findOptionalRunner,
  listActiveRuns,
  listSlowStatements,
  readConnections,
  readWorkMetrics,
  type WorkMetrics,
} from './activity.sql.ts'
import { maskStatement } from './masked-statement.ts'

export const readMetrics = ({ db }: Context): Promise<WorkMetrics> => readWorkMetrics(db)

export const findConnections = async ({ database, db }: Context) =>
  database.kind === 'server' ? readConnections(db) : null

export async function countProcesses({ processes }: Context): Promise<Record<string, number>> {
  const live = (await processes.list()).filter(({ isLive }) => isLive)
  const ofRole = (role: LiveProcess['role']) => live.filter((process) => process.role === role).length
  return { all: ofRole('all'), web: ofRole('web'), worker: ofRole('worker') }
}

/** What Catenary is doing now, over all processes: no texts, and no names of prompts and chains (ADR 006). */
export async function readActivity(ctx: Context): Promise<Activity> {
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
    runs: underWay.slice(0, ACTIVITY_LISTED),
    hasMoreRuns: underWay.length > ACTIVITY_LISTED,
    queues,
    database: {
      kind,
      answeredInMs: Math.round(performance.now() - startedAt),
      waitingCalls,
      connections,
      statements: statements.map((statement) => ({ ...statement, text: maskStatement(statement.text) })),
    },
    processes: listed.slice(0, ACTIVITY_LISTED).map(toShown),
    hasMoreProcesses: listed.length > ACTIVITY_LISTED,
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

function toShown({ startedAt, seenAt, now: _now, ...process }: LiveProcess): ActivityProcess {
  return { ...process, startedAt: startedAt.toISOString(), seenAt: seenAt.toISOString() }
}

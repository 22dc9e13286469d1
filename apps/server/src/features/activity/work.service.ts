import {
  ACTIVITY_LISTED,
  type Activity,
  type ActivityProcess,
  type QueueState,
  type User,
} from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { LiveProcess, Processes } from '../../platform/processes/processes.ts'
import type { Runs } from '../runs/runs.ts'
import {
  isUnderWay,
  listActiveRuns,
  listSlowStatements,
  readConnections,
  readWorkFigures,
  recordStop,
} from './activity.repository.ts'
import { maskStatement } from './masked-statement.ts'

export type WorkService = ReturnType<typeof createWorkService>

interface WorkDeps {
  db: Database
  kind: 'embedded' | 'server'
  readQueues: () => Promise<QueueState[]>
  processes: Pick<Processes, 'list'>
  runs: Pick<Runs, 'stop'>
}

/** What goes on and what waits, over all processes. */
export function createWorkService({ db, kind, readQueues, processes, runs }: WorkDeps) {
  /** Null on the embedded database, which has one. */
  const findConnections = async () => (kind === 'server' ? readConnections(db) : null)

  return {
    /** In figures, by one small statement. */
    readFigures: () => readWorkFigures(db),

    findConnections,

    /** Live processes by role. */
    async countProcesses(): Promise<Record<string, number>> {
      const live = (await processes.list()).filter(({ isLive }) => isLive)
      const ofRole = (role: LiveProcess['role']) => live.filter((process) => process.role === role).length
      return { all: ofRole('all'), web: ofRole('web'), worker: ofRole('worker') }
    },

    /** What the installation is doing now: no texts, and no names of prompts and chains (ADR 006). */
    async read(): Promise<Activity> {
      const waitingCalls = db.$client.waitingCount
      const startedAt = performance.now()
      const isServer = kind === 'server'
      const [underWay, queues, statements, connections, listed] = await Promise.all([
        listActiveRuns(db),
        readQueues(),
        isServer ? listSlowStatements(db) : [],
        findConnections(),
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
    },

    /** Stops anyone's run, wherever it goes on, as they could themselves; it is recorded. Throws `not_found` for one that has ended. */
    async stopRun({ id, user }: { id: number; user: User }): Promise<void> {
      if (!(await isUnderWay(db, id))) throw new AppError('not_found', 'This run has ended')
      await recordStop(db, { id, actorId: user.id })
      await runs.stop(id)
    },
  }
}

function toShown({ startedAt, seenAt, now: _now, ...process }: LiveProcess): ActivityProcess {
  return { ...process, startedAt: startedAt.toISOString(), seenAt: seenAt.toISOString() }
}

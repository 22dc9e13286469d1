import { ACTIVITY_LISTED, type Activity, type QueueState, type User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { Runs } from '../runs/runs.ts'
import {
  isUnderWay,
  listActiveRuns,
  listProcesses,
  listSlowStatements,
  readWorkFigures,
  recordStop,
} from './activity.repository.ts'
import { maskStatement } from './masked-statement.ts'

export type WorkService = ReturnType<typeof createWorkService>

interface WorkDeps {
  db: Database
  kind: 'embedded' | 'server'
  readQueues: () => Promise<QueueState[]>
  runs: Pick<Runs, 'stop'>
}

/** What goes on and what waits, over all processes. */
export function createWorkService({ db, kind, readQueues, runs }: WorkDeps) {
  return {
    /** In figures, by one small statement. */
    readFigures: () => readWorkFigures(db),

    /** What the installation is doing now: no texts, and no names of prompts and chains (ADR 006). */
    async read(): Promise<Activity> {
      const waitingCalls = db.$client.waitingCount
      const startedAt = performance.now()
      const isServer = kind === 'server'
      const [underWay, queues, statements, processes] = await Promise.all([
        listActiveRuns(db),
        readQueues(),
        isServer ? listSlowStatements(db) : [],
        isServer ? listProcesses(db) : null,
      ])
      return {
        runs: underWay.slice(0, ACTIVITY_LISTED),
        hasMoreRuns: underWay.length > ACTIVITY_LISTED,
        queues,
        database: {
          kind,
          answeredInMs: Math.round(performance.now() - startedAt),
          waitingCalls,
          statements: statements.map((statement) => ({ ...statement, text: maskStatement(statement.text) })),
        },
        processes,
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

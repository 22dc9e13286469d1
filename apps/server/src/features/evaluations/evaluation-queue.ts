import type { Transaction } from '../../db/executor.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'

/** In each process; most of them wait for a permit for their next cell. */
const EVALUATIONS_AT_ONCE = 32

export type EvaluationQueue = ReturnType<typeof createEvaluationQueue>

/** One job for each running evaluation: the process that holds the job drives it; after its death, another does. */
export function createEvaluationQueue({ jobs }: { jobs: Jobs }) {
  const queue = jobs.queue<{ evaluationId: number }>('evaluations')
  return {
    /** In the caller's transaction; the attempt tells a resumed one from a job that is about to end. */
    driveLater: (tx: Transaction, { id, attempt }: { id: number; attempt: number }) =>
      queue.send(tx, { key: `${id}:${attempt}`, payload: { evaluationId: id } }),

    work(drive: (job: { id: number; signal: AbortSignal }) => Promise<void>): void {
      queue.work({
        concurrency: EVALUATIONS_AT_ONCE,
        handle: ({ payload, signal }) => drive({ id: payload.evaluationId, signal }),
      })
    },
  }
}

import { FairSemaphore } from '../../platform/limits/fair-semaphore.ts'
import type { Platform } from '../../platform/platform.ts'
import { createEvaluationQueue } from './evaluation-queue.ts'
import { evaluationsRoutes } from './evaluations.routes.ts'
import type { EvaluationsDeps } from './evaluations-deps.ts'
import { driveEvaluation } from './operations/drive-evaluation.ts'
import { findEvaluation } from './operations/read-evaluations.ts'
import { type NewEvaluation, startEvaluation } from './operations/start-evaluation.ts'

export { createReleaseGate } from './release-gate.service.ts'

export type EvaluationsService = ReturnType<typeof createEvaluations>['service']

/** Cells at once in one process, of all evaluations; one person's take at most three quarters of them. */
const CELLS_AT_ONCE = 8

/** Suites on versions and models, with the queue that drives them. */
export function createEvaluations(
  { db, jobs, log }: Pick<Platform, 'db' | 'jobs' | 'log'>,
  features: Omit<EvaluationsDeps, 'db' | 'log' | 'permits' | 'queue'>,
) {
  const queue = createEvaluationQueue({ jobs })
  const deps = { ...features, db, log, queue, permits: new FairSemaphore(CELLS_AT_ONCE) }
  queue.work((job) => driveEvaluation(deps, job))
  return {
    service: {
      start: (wanted: NewEvaluation) => startEvaluation(deps, wanted),
      find: (wanted: Parameters<typeof findEvaluation>[1]) => findEvaluation(deps, wanted),
    },
    routes: [evaluationsRoutes(deps)],
  }
}

import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Models } from '../../platform/models/models.ts'
import type { VariablesService } from '../variables/variables.service.ts'
import { createCellGrader } from './cell-grader.service.ts'
import { createCellRuns } from './cell-runs.service.ts'
import { createEstimates } from './estimates.service.ts'
import { createEvaluationDriver } from './evaluation-driver.service.ts'
import { createEvaluationPlans, type SuiteReader } from './evaluation-plans.service.ts'
import { evaluationQueue } from './evaluations.jobs.ts'
import { createEvaluationsService } from './evaluations.service.ts'
import { createTestedRecords } from './tested-records.service.ts'

type Deps = Parameters<typeof createTestedRecords>[0] &
  Pick<Parameters<typeof createEvaluationDriver>[0], 'log'> &
  Parameters<typeof createCellRuns>[0] &
  Pick<Parameters<typeof createCellGrader>[0], 'grading'> &
  Pick<Parameters<typeof createEvaluationsService>[0], 'findRefusal'> & {
    jobs: Jobs
    models: Models
    suites: SuiteReader
    variables: Pick<VariablesService, 'marksOf'>
  }

/** All of the room: the queue that drives evaluations, and what its routes call. */
export function createEvaluations({ jobs, models, suites, variables, grading, ...deps }: Deps) {
  const { db, log } = deps
  const queue = evaluationQueue({ jobs })
  const records = createTestedRecords(deps)
  const grader = createCellGrader({ models, grading })
  queue.work({ driver: createEvaluationDriver({ db, log, grader, cellRuns: createCellRuns(deps) }) })
  const plan = createEvaluationPlans({
    records,
    suites,
    models,
    variables,
    estimate: createEstimates({ models }),
  })
  return { evaluations: createEvaluationsService({ ...deps, ...queue, records, plan }) }
}

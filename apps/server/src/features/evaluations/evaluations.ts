import type { Models } from '../../platform/models/models.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BudgetsService } from '../budgets/budgets.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { RecordPorts } from '../records/records.ts'
import type { Runs } from '../runs/runs.ts'
import type { TestSuitesService } from '../test-suites/test-suites.ts'
import type { VariablesService } from '../variables/variables.ts'
import { createCellGrader } from './cell-grader.service.ts'
import { createCellRuns } from './cell-runs.service.ts'
import { createEstimates } from './estimates.service.ts'
import { createEvaluationDriver } from './evaluation-driver.service.ts'
import { createEvaluationPlans } from './evaluation-plans.service.ts'
import { createEvaluationQueue } from './evaluation-queue.ts'
import { evaluationsRoutes } from './evaluations.routes.ts'
import { createEvaluationsService } from './evaluations.service.ts'
import { createTestedRecords } from './tested-records.service.ts'

export { createReleaseGate } from './release-gate.service.ts'

interface Features {
  budgets: Pick<BudgetsService, 'findRefusal'>
  chains: Pick<ChainsService, 'openForRun'>
  runs: Pick<Runs, 'awaitRun' | 'chainRuns' | 'promptRuns'>
  models: Models
  prompts: Pick<PromptsService, 'find' | 'findVersion'>
  ports: RecordPorts
  suites: Pick<TestSuitesService, 'grading' | 'open'>
  variables: Pick<VariablesService, 'fingerprints'>
}

/** Suites on versions and models, with the queue that drives them. */
export function createEvaluations(
  { db, jobs, log }: Pick<Platform, 'db' | 'jobs' | 'log'>,
  { budgets, chains, runs, models, ports, prompts, suites, variables }: Features,
) {
  const queue = createEvaluationQueue({ jobs })
  const records = createTestedRecords({ chains, prompts, records: ports })
  const estimate = createEstimates({ models })
  const evaluations = createEvaluationsService({
    db,
    records,
    plan: createEvaluationPlans({ records, suites, models, variables, estimate }),
    findRefusal: budgets.findRefusal,
    driveLater: queue.driveLater,
  })
  const { awaitRun, chainRuns, promptRuns } = runs
  const driver = createEvaluationDriver({
    db,
    log,
    grader: createCellGrader({ models, grading: suites.grading }),
    cellRuns: createCellRuns({ db, promptRuns, chainRuns, awaitRun }),
  })
  queue.work({ driver })
  return { routes: [evaluationsRoutes({ evaluations })] }
}

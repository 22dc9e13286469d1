import type { Database } from '../../db/executor.ts'
import type { FairSemaphore } from '../../platform/limits/fair-semaphore.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Models } from '../../platform/models/models.ts'
import type { BudgetsService } from '../budgets/budgets.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { RecordPorts } from '../records/records.ts'
import type { Runs } from '../runs/runs.ts'
import type { TestSuitesService } from '../test-suites/test-suites.ts'
import type { VariablesService } from '../variables/variables.ts'
import type { EvaluationQueue } from './evaluation-queue.ts'

/** What the operations of evaluations work with. */
export interface EvaluationsDeps {
  db: Database
  log: Log
  models: Models
  registry: Pick<ModelRegistry, 'listFor' | 'requireAllowed' | 'requireKnown'>
  budgets: Pick<BudgetsService, 'findRefusal'>
  chains: Pick<ChainsService, 'openForRun'>
  prompts: Pick<PromptsService, 'find' | 'findVersion'>
  ports: RecordPorts
  runs: Pick<Runs, 'awaitRun' | 'chainRuns' | 'promptRuns'>
  suites: Pick<TestSuitesService, 'grading' | 'open'>
  variables: Pick<VariablesService, 'fingerprints' | 'privateNames'>
  queue: EvaluationQueue
  /** One for each cell that runs in this process. */
  permits: FairSemaphore
}

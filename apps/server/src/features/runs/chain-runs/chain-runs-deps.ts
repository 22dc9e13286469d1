import type { Database } from '../../../db/executor.ts'
import type { ChainsService } from '../../chains/chains.ts'
import type { ModelRegistry } from '../../models/models.ts'
import type { VariablesService } from '../../variables/variables.ts'
import type { RunHistoryDeps } from '../history/run-history-deps.ts'
import type { RunFollower } from '../watching/run-follower.service.ts'
import type { OpenPlan } from './chain-plans.service.ts'
import type { ChainWorkers } from './chain-workers.service.ts'

/** What starts and resumes runs of chains for people, schedules and tokens. */
export interface ChainRunsDeps {
  db: Database
  registry: Pick<ModelRegistry, 'requireAllowed' | 'requireKnown'>
  workers: ChainWorkers
  chains: Pick<ChainsService, 'requireVisible'>
  history: RunHistoryDeps
  follower: RunFollower
  openPlan: OpenPlan
  variables: Pick<VariablesService, 'places' | 'privateNames' | 'requireAllowed'>
}

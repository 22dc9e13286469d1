import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import type { Models } from '../../platform/models/models.ts'
import type { FilesService } from '../files/files.ts'
import type { Runs } from '../runs/runs.ts'
import type { BestChain } from './best-chain.service.ts'
import type { IdempotentCalls } from './idempotent-calls.service.ts'
import type { PromptCalls } from './prompt-calls.service.ts'

/** What the operations of the gateway work with. */
export interface GatewayDeps {
  db: Database
  now: () => Date
  ctx: Context
  chainRuns: Runs['chainRuns']
  files: Pick<FilesService, 'storeMedia'>
  bestChain: BestChain
  idempotentCalls: IdempotentCalls
  promptCalls: PromptCalls
  models: Pick<Models, 'describe'>
}

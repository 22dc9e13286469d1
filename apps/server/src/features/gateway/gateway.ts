import type { Models } from '../../platform/models/models.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PromptServerService } from '../prompt-server/prompt-server.ts'
import type { Runs } from '../runs/runs.ts'
import type { TokensService } from '../tokens/tokens.ts'
import { createBestChain } from './best-chain.service.ts'
import { answerUnroutableCall } from './call-errors.ts'
import { gatewayRoutes } from './gateway.routes.ts'
import { createGatewayService } from './gateway.service.ts'
import { createIdempotentCalls } from './idempotent-calls.service.ts'
import { createJudge } from './judge.service.ts'
import { createNamedChains } from './named-chains.service.ts'
import { createPromptCalls } from './prompt-calls.service.ts'

export type GatewayService = ReturnType<typeof createGateway>['service']

interface Features {
  runs: Pick<Runs, 'chainRuns' | 'promptRuns'>
  models: Models
  promptServer: PromptServerService
  tokens: TokensService
}

/** What programs call with tokens: chains as models, and prompts by their names. */
export function createGateway(
  { db, log, now, settings }: Pick<Platform, 'db' | 'log' | 'now' | 'settings'>,
  { runs, models, promptServer, tokens }: Features,
) {
  const { chainRuns, promptRuns } = runs
  const { grants, selections, uses } = tokens
  const idempotentCalls = createIdempotentCalls({ db, chainRuns })
  const judge = createJudge({ log, models, judgeModel: settings.judgeModel })
  const gateway = createGatewayService({
    now,
    idempotentCalls,
    uses,
    chainRuns,
    grants,
    promptCalls: createPromptCalls({ promptRuns, promptServer, models }),
    namedChains: createNamedChains({ db, bestChain: createBestChain({ selections, uses, judge }) }),
  })
  return {
    service: { answerUnroutable: answerUnroutableCall, deleteExpiredCalls: idempotentCalls.deleteExpired },
    routes: [gatewayRoutes({ gateway })],
  }
}

import type { HttpReply, HttpRequest } from '../../platform/http/routes.ts'
import type { Models } from '../../platform/models/models.ts'
import type { Platform } from '../../platform/platform.ts'
import type { FilesService } from '../files/files.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { PromptServerService } from '../prompt-server/prompt-server.ts'
import type { Runs } from '../runs/runs.ts'
import type { TokensService } from '../tokens/tokens.ts'
import { createBestChain } from './best-chain.service.ts'
import { answerUnroutableCall } from './call-errors.ts'
import { admitCall, gatewayRoutes } from './gateway.routes.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import { createIdempotentCalls } from './idempotent-calls.service.ts'
import { createJudge } from './judge.service.ts'
import { createPromptCalls } from './prompt-calls.service.ts'

export { countOutcome } from './count-outcome.ts'
export { GatewayError, toGatewayError, toRunError } from './gateway-error.ts'
export type GatewayService = ReturnType<typeof createGateway>['service']

interface Features {
  files: Pick<FilesService, 'storeMedia'>
  runs: Pick<Runs, 'chainRuns' | 'promptRuns'>
  models: Models
  registry: Pick<ModelRegistry, 'listFor'>
  promptServer: PromptServerService
  tokens: TokensService
}

/** What programs call with tokens: chains as models, and prompts by their names. */
export function createGateway(
  { db, log, now, settings }: Pick<Platform, 'db' | 'log' | 'now' | 'settings'>,
  { files, runs, models, promptServer, registry, tokens }: Features,
) {
  const { chainRuns, promptRuns } = runs
  const { grants, selections, uses } = tokens
  const idempotentCalls = createIdempotentCalls({ db, chainRuns })
  const findJudge = createJudge({ log, models, registry, judgeModel: settings.judgeModel })
  const deps: GatewayDeps = {
    db,
    now,
    grants,
    models,
    uses,
    chainRuns,
    files,
    bestChain: createBestChain({ selections, uses, findJudge }),
    idempotentCalls,
    promptCalls: createPromptCalls({ files, promptRuns, promptServer, registry }),
  }
  return {
    service: {
      admit: (request: HttpRequest, reply: HttpReply) => admitCall(deps, request, reply),
      answerUnroutable: answerUnroutableCall,
      deleteExpiredCalls: idempotentCalls.deleteExpired,
      idempotentCalls: { follow: idempotentCalls.follow, start: idempotentCalls.start },
    },
    routes: [gatewayRoutes(deps)],
  }
}

import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import type { HttpReply, HttpRequest } from '../../platform/http/routes.ts'
import type { Models } from '../../platform/models/models.ts'
import type { FilesService } from '../files/files.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { Runs } from '../runs/runs.ts'
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
}

/** What programs call with tokens: chains as models, and prompts by their names. */
export function createGateway(
  ctx: Context<Database>,
  { files, runs, models, registry }: Features,
) {
  const { db, log, now, settings } = ctx
  const { chainRuns, promptRuns } = runs
  const idempotentCalls = createIdempotentCalls({ db, chainRuns })
  const findJudge = createJudge({ log, models, registry, judgeModel: settings.judgeModel })
  const deps: GatewayDeps = {
    ctx,
    db,
    now,
    models,
    chainRuns,
    files,
    bestChain: createBestChain({ ctx, findJudge }),
    idempotentCalls,
    promptCalls: createPromptCalls({ ctx, files, promptRuns, registry }),
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

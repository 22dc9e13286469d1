import type { Executions } from '../executions/executions.service.ts'
import { createTokenGrants, type TokenGrantsDeps } from '../tokens/token-grants.service.ts'
import { createTokenUses, type TokenUsesDeps } from '../tokens/token-uses.service.ts'
import { createTokensService, type TokensDeps } from '../tokens/tokens.service.ts'
import { createBestChain } from './best-chain.service.ts'
import { createGatewayService } from './gateway.service.ts'
import { createJudge } from './judge.service.ts'
import { createKeyedCalls } from './keyed-calls.service.ts'
import { createSelectionsService, type SelectionsDeps } from './selections.service.ts'

type GatewayParts = Omit<TokensDeps & TokenGrantsDeps & TokenUsesDeps & SelectionsDeps, 'uses'> &
  Parameters<typeof createJudge>[0] & { chainRuns: Executions['chainRuns'] }

/** The compatible API: its tokens, what is chosen by them, and the calls that show one. */
export function createGateway({ db, log, now, chains, chainRuns, rowChanges, ...parts }: GatewayParts) {
  const uses = createTokenUses({ db, log, now })
  const keyedCalls = createKeyedCalls({ db, chainRuns })
  return {
    tokens: createTokensService({ ...{ db, now, chains, uses }, ...parts }),
    selections: createSelectionsService({ db, chains }),
    keyedCalls,
    gateway: createGatewayService({
      ...{ db, now, keyedCalls, uses, chainRuns },
      grants: createTokenGrants({ ...{ db, rowChanges, now, uses }, ...parts }),
      bestChain: createBestChain({ db, uses, judge: createJudge({ log, ...parts }) }),
    }),
    /** Stores what was used last. */
    close: uses.close,
  }
}

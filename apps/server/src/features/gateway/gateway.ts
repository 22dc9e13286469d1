import type { Executions } from '../executions/executions.service.ts'
import { createNamedPrompts, type NamedPromptsDeps } from '../prompt-server/named-prompts.service.ts'
import { createPromptAliases } from '../prompt-server/prompt-aliases.service.ts'
import { createServedPrompts, type ServedPromptsDeps } from '../prompt-server/served-prompts.service.ts'
import { createTokenGrants, type TokenGrantsDeps } from '../tokens/token-grants.service.ts'
import { createTokenUses, type TokenUsesDeps } from '../tokens/token-uses.service.ts'
import { createTokensService, type TokensDeps } from '../tokens/tokens.service.ts'
import { createBestChain } from './best-chain.service.ts'
import { createGatewayService } from './gateway.service.ts'
import { createJudge } from './judge.service.ts'
import { createKeyedCalls } from './keyed-calls.service.ts'
import { createNamedChains } from './named-chains.service.ts'
import { createPromptCalls, type PromptCallsDeps } from './prompt-calls.service.ts'
import { createSelectionsService, type SelectionsDeps } from './selections.service.ts'

type PromptParts = NamedPromptsDeps & PromptCallsDeps & ServedPromptsDeps
type GatewayParts = Omit<
  TokensDeps & TokenGrantsDeps & TokenUsesDeps & SelectionsDeps & PromptParts,
  'uses' | 'grants' | 'namedPrompts'
> &
  Parameters<typeof createJudge>[0] & { chainRuns: Executions['chainRuns'] }

/** What programs call with tokens: the tokens, what is chosen by them, chains as models, and prompts by their names. */
export function createGateway({ db, log, now, chains, chainRuns, rowChanges, ...parts }: GatewayParts) {
  const uses = createTokenUses({ db, log, now })
  const keyedCalls = createKeyedCalls({ db, chainRuns })
  const grants = createTokenGrants({ ...{ db, rowChanges, now, uses }, ...parts })
  const namedPrompts = createNamedPrompts({ ...{ db, rowChanges }, ...parts })
  const bestChain = createBestChain({ db, uses, judge: createJudge({ log, ...parts }) })
  return {
    tokens: createTokensService({ ...{ db, now, chains, uses }, ...parts }),
    selections: createSelectionsService({ db, chains }),
    keyedCalls,
    gateway: createGatewayService({
      ...{ now, keyedCalls, uses, chainRuns },
      grants,
      promptCalls: createPromptCalls({ namedPrompts, ...parts }),
      namedChains: createNamedChains({ db, bestChain }),
    }),
    servedPrompts: createServedPrompts({ ...{ db, grants, uses, namedPrompts }, ...parts }),
    promptAliases: createPromptAliases({ db }),
    /** Stores what was used last. */
    close: uses.close,
  }
}

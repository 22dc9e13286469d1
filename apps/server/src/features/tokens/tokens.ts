import type { Database } from '../../db/executor.ts'
import { type Context, slot } from '../../platform/context.ts'
import { findBudgetRefusal } from '../budgets/budgets.ts'
import type { ChainsService } from '../chains/chains.ts'
import { boundsOf } from '../quotas/quotas.ts'
import { fetchesRoutes } from './fetches.routes.ts'
import { createFetches } from './fetches.service.ts'
import { folderTokensRoutes } from './folder-tokens.routes.ts'
import { mcpTokensRoutes } from './mcp-tokens.routes.ts'
import { findOwnReach } from './operations/find-reach.ts'
import { readTokensRoutes } from './read-tokens.routes.ts'
import { selectionsRoutes } from './selections.routes.ts'
import { createSelectionsService } from './selections.service.ts'
import { createTokenGrants } from './token-grants.service.ts'
import { createTokenUses } from './token-uses.service.ts'
import { bestTokensRoutes, tokensRoutes } from './tokens.routes.ts'
import type { TokensDeps } from './tokens-deps.ts'

export type { Fetches } from './fetches.service.ts'
export { sealedTokenValues } from './sealed-values.repository.ts'
export type { Grant, TokenGrants } from './token-grants.service.ts'
export { TokenLimitError } from './token-limits.ts'
export type { TokenUses } from './token-uses.service.ts'
export type TokensService = ReturnType<typeof createTokens>['service']
export const tokensSlot = slot<TokensService>()

interface Features {
  chains: Pick<ChainsService, 'addExample' | 'requireEditable' | 'requireLabel' | 'requireVisible'>
}

/** What programs show to call chains and fetch prompts. */
export function createTokens(platform: Context<Database>, { chains }: Features) {
  const { db, now, secrets, settings } = platform
  const uses = createTokenUses(platform)
  const deps: TokensDeps = { db, now, chains, secrets, uses, keepsValues: settings.tokenReveal }
  const grants = createTokenGrants({
    ...platform,
    uses,
    boundsOf: (person) => boundsOf(platform, person),
    findRefusal: (userId) => findBudgetRefusal(platform, userId),
  })
  const fetches = createFetches(platform)
  const selections = createSelectionsService({ db, chains })
  return {
    service: {
      fetches,
      findOwnReach: (wanted: Parameters<typeof findOwnReach>[1]) => findOwnReach({ db }, wanted),
      grants,
      selections: { record: selections.record },
      uses,
    },
    routes: [
      tokensRoutes(deps),
      bestTokensRoutes(deps),
      readTokensRoutes(deps),
      folderTokensRoutes(deps),
      mcpTokensRoutes(deps),
      fetchesRoutes({ fetches }),
      selectionsRoutes({ selections }),
    ],
    /** Stores what was used last. */
    close: async () => {
      await uses.close()
      await fetches.close()
    },
  }
}

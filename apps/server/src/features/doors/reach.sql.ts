import type { TokenReach, User } from '@catenary/contracts'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { chainSteps, chains, prompts } from '../../database/schema/index.ts'
import {
  chainsInAllOf,
  chainsVisibleTo,
  promptsInAllOf,
  promptsVisibleTo,
} from '../../database/statements/visible-rows.ts'

interface Owned {
  /** Who created the token. */
  user: Pick<User, 'id'>
}

/** The prompts of a token that its creator can see now. */
export const isPromptWithin = ({
  user,
  includesAllPrompts,
  promptIds,
}: Pick<TokenReach, 'includesAllPrompts' | 'promptIds'> & Owned): SQL | undefined =>
  and(
    promptsVisibleTo(user.id),
    includesAllPrompts ? promptsInAllOf(user.id) : inArray(prompts.id, promptIds),
  )

/** The same of chains, where they have steps; beside their acceptances. */
export const isChainWithin = ({
  user,
  includesAllChains,
  chainIds,
}: Pick<TokenReach, 'includesAllChains' | 'chainIds'> & Owned): SQL | undefined =>
  and(
    chainsVisibleTo(user.id),
    includesAllChains ? chainsInAllOf(user.id) : inArray(chains.id, chainIds),
    sql`exists (select 1 from ${chainSteps} where ${eq(chainSteps.chainId, chains.id)})`,
  )

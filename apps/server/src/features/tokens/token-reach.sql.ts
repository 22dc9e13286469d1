import { eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { apiTokenChains, apiTokenPrompts, apiTokens } from '../../db/schema/index.ts'

/** What a token names. */
export async function findOptionalReach(db: Executor, id: number) {
  const { kind, createdBy, includesAllPrompts, includesAllChains, labels } = apiTokens
  const [found] = await db
    .select({
      kind,
      createdBy,
      includesAllPrompts,
      includesAllChains,
      labels,
      promptIds: sql<number[]>`array(
        select ${apiTokenPrompts.promptId} from ${apiTokenPrompts} where ${apiTokenPrompts.apiTokenId} = api_tokens.id
      )`,
      chainIds: sql<number[]>`array(
        select ${apiTokenChains.chainId} from ${apiTokenChains} where ${apiTokenChains.apiTokenId} = api_tokens.id
      )`,
    })
    .from(apiTokens)
    .where(eq(apiTokens.id, id))
  return found
}

/** The ids of what it names. */
export async function findReached(db: Executor, id: number) {
  const { promptIds = [], chainIds = [] } = (await findOptionalReach(db, id)) ?? {}
  return { promptIds, chainIds }
}

/** The same of several tokens: what each names, by its id. */
export async function listReached(db: Executor, tokenIds: number[]) {
  const prompts = await db
    .select({ tokenId: apiTokenPrompts.apiTokenId, id: apiTokenPrompts.promptId })
    .from(apiTokenPrompts)
    .where(inArray(apiTokenPrompts.apiTokenId, tokenIds))
  const chains = await db
    .select({ tokenId: apiTokenChains.apiTokenId, id: apiTokenChains.chainId })
    .from(apiTokenChains)
    .where(inArray(apiTokenChains.apiTokenId, tokenIds))
  const promptsOf = Map.groupBy(prompts, ({ tokenId }) => tokenId)
  const chainsOf = Map.groupBy(chains, ({ tokenId }) => tokenId)
  return (tokenId: number) => ({
    promptIds: (promptsOf.get(tokenId) ?? []).map(({ id }) => id),
    chainIds: (chainsOf.get(tokenId) ?? []).map(({ id }) => id),
  })
}

/** How many prompts and chains each of the tokens names. */
export function countReached(db: Executor, tokenIds: number[]) {
  return db
    .select({
      tokenId: apiTokens.id,
      prompts: sql<number>`(select count(*)::integer from ${apiTokenPrompts} where ${apiTokenPrompts.apiTokenId} = api_tokens.id)`,
      chains: sql<number>`(select count(*)::integer from ${apiTokenChains} where ${apiTokenChains.apiTokenId} = api_tokens.id)`,
    })
    .from(apiTokens)
    .where(inArray(apiTokens.id, tokenIds))
}

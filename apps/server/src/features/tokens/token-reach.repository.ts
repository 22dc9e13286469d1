import { eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { apiTokenChains, apiTokenPrompts, apiTokens } from '../../db/schema/index.ts'

/** What a token names. */
export async function findOptionalReach(executor: Executor, id: number) {
  const { kind, createdBy, includesAllPrompts, includesAllChains, labels } = apiTokens
  const [found] = await executor
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
export async function findReached(executor: Executor, id: number) {
  const { promptIds = [], chainIds = [] } = (await findOptionalReach(executor, id)) ?? {}
  return { promptIds, chainIds }
}

/** The same of several tokens: what each names, by its id. */
export async function listReached(executor: Executor, tokenIds: number[]) {
  const prompts = await executor
    .select({ tokenId: apiTokenPrompts.apiTokenId, id: apiTokenPrompts.promptId })
    .from(apiTokenPrompts)
    .where(inArray(apiTokenPrompts.apiTokenId, tokenIds))
  const chains = await executor
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
export function countReached(executor: Executor, tokenIds: number[]) {
  return executor
    .select({
      tokenId: apiTokens.id,
      prompts: sql<number>`(select count(*)::integer from ${apiTokenPrompts} where ${apiTokenPrompts.apiTokenId} = api_tokens.id)`,
      chains: sql<number>`(select count(*)::integer from ${apiTokenChains} where ${apiTokenChains.apiTokenId} = api_tokens.id)`,
    })
    .from(apiTokens)
    .where(inArray(apiTokens.id, tokenIds))
}

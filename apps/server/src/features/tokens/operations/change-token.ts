import type {
  BestToken,
  ChainToken,
  McpToken,
  ReadToken,
  updateBestTokenRequest,
  updateMcpTokenRequest,
  updateReadTokenRequest,
  updateTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { toTokenColumns } from '../token-columns.ts'
import { fillsAfter } from '../token-fills.ts'
import { findReached } from '../token-reach.repository.ts'
import { requireVisibleChains, requireVisiblePrompts, toScope } from '../token-scope.ts'
import { showToken } from '../token-views.ts'
import { canDeleteToken } from '../tokens.policy.ts'
import {
  deleteTokenRow,
  insertTokenEvent,
  replaceTokenChains,
  replaceTokenPrompts,
  updateTokenRow,
} from '../tokens.repository.ts'
import type { TokensDeps } from '../tokens-deps.ts'
import { openOwnToken, openToken, tokenNotFound, type WantedToken } from './open-token.ts'

type Change<Schema extends z.ZodType> = Omit<WantedToken, 'kind'> & { fields: z.output<Schema> }

/** An absent field stays as it is, as does the value of each kind. */
export async function updateChainToken(
  deps: TokensDeps,
  { fields, id, user }: Change<typeof updateTokenRequest>,
): Promise<ChainToken> {
  const { db, chains } = deps
  const wanted = { id, user, kind: 'chain' } as const
  await db.transaction(async (tx) => {
    const token = await openOwnToken(deps, tx, wanted)
    const { chainLabel } = fields
    const isNewLabel = chainLabel !== undefined && chainLabel !== token.chainLabel
    if (isNewLabel) await chains.requireLabel(tx, { chainId: token.chainId, chainLabel })
    await updateTokenRow(tx, { id, ...toTokenColumns(fields) })
  })
  return showToken(deps, wanted)
}

/** An emptied selection never widens a token (D38). */
export async function updateBestToken(
  deps: TokensDeps,
  { fields, id, user }: Change<typeof updateBestTokenRequest>,
): Promise<BestToken> {
  const { includedChainIds: _ids, includesAllChains: _all, ...rest } = fields
  const wanted = { id, user, kind: 'best' } as const
  await deps.db.transaction(async (tx) => {
    const token = await openOwnToken(deps, tx, wanted)
    const scope = await toScope(tx, { token, fields, user })
    const after = { ...scope, chainIds: scope?.chainIds }
    await updateTokenRow(tx, {
      id,
      ...toTokenColumns(rest),
      fills: await fillsAfter(tx, { token, fills: rest.fills, before: await findReached(tx, id), after }),
      ...(scope === undefined ? {} : { includesAllChains: scope.includesAllChains }),
    })
    if (scope !== undefined) await replaceTokenChains(tx, { tokenId: id, chainIds: scope.chainIds })
  })
  return showToken(deps, wanted)
}

export async function updateReadToken(
  deps: TokensDeps,
  { fields: { promptIds, ...fields }, id, user }: Change<typeof updateReadTokenRequest>,
): Promise<ReadToken> {
  const wanted = { id, user, kind: 'read' } as const
  await deps.db.transaction(async (tx) => {
    const token = await openOwnToken(deps, tx, wanted)
    const after = { promptIds }
    const fills = await fillsAfter(tx, {
      token,
      fills: fields.fills,
      before: await findReached(tx, id),
      after,
    })
    await updateTokenRow(tx, { id, ...toTokenColumns(fields), fills })
    if (promptIds === undefined) return
    await requireVisiblePrompts(tx, { ids: promptIds, user })
    await replaceTokenPrompts(tx, { tokenId: id, promptIds })
  })
  return showToken(deps, wanted)
}

/** What it reaches is replaced by what is named; to leave it away, or to empty it, never widens it (D38). */
export async function updateMcpToken(
  deps: TokensDeps,
  {
    fields: { promptIds, allPrompts, chainIds, allChains, ...fields },
    id,
    user,
  }: Change<typeof updateMcpTokenRequest>,
): Promise<McpToken> {
  const wanted = { id, user, kind: 'mcp' } as const
  const prompts = toReach({ ids: promptIds, all: allPrompts })
  const chains = toReach({ ids: chainIds, all: allChains })
  await deps.db.transaction(async (tx) => {
    const token = await openOwnToken(deps, tx, wanted)
    const after = {
      ...(prompts && { promptIds: prompts.ids, includesAllPrompts: prompts.all }),
      ...(chains && { chainIds: chains.ids, includesAllChains: chains.all }),
    }
    await updateTokenRow(tx, {
      id,
      ...toTokenColumns(fields),
      fills: await fillsAfter(tx, { token, fills: fields.fills, before: await findReached(tx, id), after }),
      ...(prompts && { includesAllPrompts: prompts.all }),
      ...(chains && { includesAllChains: chains.all }),
    })
    if (prompts) {
      await requireVisiblePrompts(tx, { ids: prompts.ids, user })
      await replaceTokenPrompts(tx, { tokenId: id, promptIds: prompts.ids })
    }
    if (chains) {
      await requireVisibleChains(tx, { ids: chains.ids, user })
      await replaceTokenChains(tx, { tokenId: id, chainIds: chains.ids })
    }
  })
  return showToken(deps, wanted)
}

/** Undefined where a change says nothing of it. */
function toReach({ ids, all }: { ids: number[] | undefined; all: boolean | undefined }) {
  if (ids === undefined && all === undefined) return undefined
  return { all: all === true, ids: ids ?? [] }
}

/** Ends it at once, in every process. */
export function deleteToken(deps: TokensDeps, wanted: WantedToken): Promise<void> {
  const { id, user } = wanted
  return deps.db.transaction(async (tx) => {
    const { token, editsChain } = await openToken(deps, tx, wanted)
    if (!canDeleteToken(user, token, { editsChain: await editsChain() })) throw tokenNotFound()
    await deleteTokenRow(tx, id)
    const { name, prefix } = token
    const event = { actorId: user.id, tokenId: id, action: 'token.deleted' }
    await insertTokenEvent(tx, { ...event, details: { name, prefix } })
  })
}

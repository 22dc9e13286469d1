import type {
  BestToken,
  ChainToken,
  FolderToken,
  McpToken,
  ReadToken,
  updateBestTokenRequest,
  updateFolderTokenRequest,
  updateMcpTokenRequest,
  updateReadTokenRequest,
  updateTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { type Context, transaction } from '../../../platform/context.ts'
import { requireChainLabel } from '../../chains/chains.ts'
import { toFolderColumns, toTokenColumns } from '../token-columns.ts'
import { fillsAfter } from '../token-fills.ts'
import { findReached } from '../token-reach.sql.ts'
import { requireVisibleChains, requireVisiblePrompts, toScope } from '../token-scope.ts'
import { showToken } from '../token-views.ts'
import { canDeleteToken } from '../tokens.policy.ts'
import {
  deleteTokenRow,
  insertTokenEvent,
  replaceTokenChains,
  replaceTokenPrompts,
  updateTokenRow,
} from '../tokens.sql.ts'
import { openOwnToken, openToken, tokenNotFound, type WantedToken } from './open-token.ts'

type Change<Schema extends z.ZodType> = Omit<WantedToken, 'kind'> & { fields: z.output<Schema> }

/** An absent field stays as it is, as does the value of each kind. */
export async function updateChainToken(
  ctx: Context,
  { fields, id, user }: Change<typeof updateTokenRequest>,
): Promise<ChainToken> {
  const wanted = { id, user, kind: 'chain' } as const
  await transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    const { chainLabel } = fields
    const isNewLabel = chainLabel !== undefined && chainLabel !== token.chainLabel
    if (isNewLabel) await requireChainLabel(ctx, { chainId: token.chainId, chainLabel })
    await updateTokenRow(ctx.db, { id, ...toTokenColumns(fields) })
  })
  return showToken(ctx, wanted)
}

/** An emptied selection never widens a token (D38). */
export async function updateBestToken(
  ctx: Context,
  { fields, id, user }: Change<typeof updateBestTokenRequest>,
): Promise<BestToken> {
  const { includedChainIds: _ids, includesAllChains: _all, ...rest } = fields
  const wanted = { id, user, kind: 'best' } as const
  await transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    const scope = await toScope(ctx, { token, fields, user })
    const after = { ...scope, chainIds: scope?.chainIds }
    await updateTokenRow(ctx.db, {
      id,
      ...toTokenColumns(rest),
      fills: await fillsAfter(ctx, {
        token,
        fills: rest.fills,
        before: await findReached(ctx.db, id),
        after,
      }),
      ...(scope === undefined ? {} : { includesAllChains: scope.includesAllChains }),
    })
    if (scope !== undefined) await replaceTokenChains(ctx.db, { tokenId: id, chainIds: scope.chainIds })
  })
  return showToken(ctx, wanted)
}

export async function updateReadToken(
  ctx: Context,
  { fields: { promptIds, ...fields }, id, user }: Change<typeof updateReadTokenRequest>,
): Promise<ReadToken> {
  const wanted = { id, user, kind: 'read' } as const
  await transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    const after = { promptIds }
    const before = await findReached(ctx.db, id)
    const fills = await fillsAfter(ctx, { token, fills: fields.fills, before, after })
    await updateTokenRow(ctx.db, { id, ...toTokenColumns(fields), fills })
    if (promptIds === undefined) return
    await requireVisiblePrompts(ctx, { ids: promptIds, user })
    await replaceTokenPrompts(ctx.db, { tokenId: id, promptIds })
  })
  return showToken(ctx, wanted)
}

/** What it reaches is replaced by what is named; to leave it away, or to empty it, never widens it (D38). */
export async function updateMcpToken(
  ctx: Context,
  {
    fields: { promptIds, allPrompts, chainIds, allChains, ...fields },
    id,
    user,
  }: Change<typeof updateMcpTokenRequest>,
): Promise<McpToken> {
  const wanted = { id, user, kind: 'mcp' } as const
  const prompts = toReach({ ids: promptIds, all: allPrompts })
  const chains = toReach({ ids: chainIds, all: allChains })
  await transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    const after = {
      ...(prompts && { promptIds: prompts.ids, includesAllPrompts: prompts.all }),
      ...(chains && { chainIds: chains.ids, includesAllChains: chains.all }),
    }
    await updateTokenRow(ctx.db, {
      id,
      ...toTokenColumns(fields),
      fills: await fillsAfter(ctx, {
        token,
        fills: fields.fills,
        before: await findReached(ctx.db, id),
        after,
      }),
      ...(prompts && { includesAllPrompts: prompts.all }),
      ...(chains && { includesAllChains: chains.all }),
    })
    if (prompts) {
      await requireVisiblePrompts(ctx, { ids: prompts.ids, user })
      await replaceTokenPrompts(ctx.db, { tokenId: id, promptIds: prompts.ids })
    }
    if (chains) {
      await requireVisibleChains(ctx, { ids: chains.ids, user })
      await replaceTokenChains(ctx.db, { tokenId: id, chainIds: chains.ids })
    }
  })
  return showToken(ctx, wanted)
}

export async function updateFolderToken(
  ctx: Context,
  { fields, id, user }: Change<typeof updateFolderTokenRequest>,
): Promise<FolderToken> {
  const wanted = { id, user, kind: 'folder' } as const
  await transaction(ctx, async (ctx) => {
    await openOwnToken(ctx, wanted)
    await updateTokenRow(ctx.db, { id, ...toFolderColumns(toTokenColumns(fields)) })
  })
  return showToken(ctx, wanted)
}

/** Undefined where a change says nothing of it. */
function toReach({ ids, all }: { ids: number[] | undefined; all: boolean | undefined }) {
  if (ids === undefined && all === undefined) return undefined
  return { all: all === true, ids: ids ?? [] }
}

/** Ends it at once, in every process. */
export function deleteToken(ctx: Context, wanted: WantedToken): Promise<void> {
  const { id, user } = wanted
  return transaction(ctx, async (ctx) => {
    const { token, editsChain } = await openToken(ctx, wanted)
    if (!canDeleteToken(user, token, { editsChain: await editsChain() })) throw tokenNotFound()
    await deleteTokenRow(ctx.db, id)
    const { name, prefix } = token
    const event = { actorId: user.id, tokenId: id, action: 'token.deleted' }
    await insertTokenEvent(ctx.db, { ...event, details: { name, prefix } })
  })
}

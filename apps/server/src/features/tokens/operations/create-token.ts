import type {
  CreatedBestToken,
  CreatedChainToken,
  CreatedFolderToken,
  CreatedMcpToken,
  CreatedReadToken,
  createBestTokenRequest,
  createFolderTokenRequest,
  createMcpTokenRequest,
  createReadTokenRequest,
  createTokenRequest,
  Fill,
  TokenType,
  User,
} from '@catenary/contracts'
import type * as z from 'zod'
import type { Transaction } from '../../../db/executor.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { requireChainLabel, requireEditableChain } from '../../chains/chains.ts'
import { toFolderColumns, toTokenColumns } from '../token-columns.ts'
import { fillsOfNew } from '../token-fills.ts'
import { requireVisibleChains, requireVisiblePrompts } from '../token-scope.ts'
import { mintTokenValue } from '../token-value.ts'
import {
  insertToken,
  insertTokenEvent,
  replaceTokenChains,
  replaceTokenPrompts,
  type TokenFields,
} from '../tokens.sql.ts'
import { replaceValue, showValue, type ValuedToken } from './token-values.ts'

interface Request<Schema extends z.ZodType> {
  fields: z.output<Schema>
  user: User
}

/** With its value, which no list shows, as for each kind. Throws unless the person may edit the chain. */
export async function createChainToken(
  ctx: Context,
  { fields: { chainId, ...fields }, user }: Request<typeof createTokenRequest>,
): Promise<CreatedChainToken> {
  await requireEditableChain(ctx, { id: chainId, user })
  const created = await transaction(ctx, async (ctx) => {
    await requireChainLabel(ctx, { chainId, chainLabel: fields.chainLabel })
    return createToken(ctx, { ...toTokenColumns(fields), kind: 'chain', createdBy: user.id, chainId })
  })
  return showValue(ctx, { user, ...created })
}

/** Throws `not_found` unless the person sees all of the chains; none named: all that they can use. */
export async function createBestToken(
  ctx: Context,
  { fields: { includedChainIds: chainIds, ...fields }, user }: Request<typeof createBestTokenRequest>,
): Promise<CreatedBestToken> {
  const created = await transaction(ctx, async (ctx) => {
    await requireVisibleChains(ctx, { ids: chainIds, user })
    return createToken(ctx, {
      ...toTokenColumns(fields),
      kind: 'best',
      createdBy: user.id,
      chainIds,
      includesAllChains: chainIds.length === 0,
    })
  })
  return showValue(ctx, { user, ...created })
}

/** Throws `not_found` unless the person sees all of the prompts. */
export async function createReadToken(
  ctx: Context,
  { fields: { promptIds, ...fields }, user }: Request<typeof createReadTokenRequest>,
): Promise<CreatedReadToken> {
  const created = await transaction(ctx, async (ctx) => {
    await requireVisiblePrompts(ctx, { ids: promptIds, user })
    return createToken(ctx, { ...toTokenColumns(fields), kind: 'read', createdBy: user.id, promptIds })
  })
  return showValue(ctx, { user, ...created })
}

/** Throws `not_found` unless the person sees all of the prompts and chains. */
export async function createMcpToken(
  ctx: Context,
  {
    fields: { promptIds, allPrompts, chainIds, allChains, ...fields },
    user,
  }: Request<typeof createMcpTokenRequest>,
): Promise<CreatedMcpToken> {
  const created = await transaction(ctx, async (ctx) => {
    await requireVisiblePrompts(ctx, { ids: promptIds, user })
    await requireVisibleChains(ctx, { ids: chainIds, user })
    return createToken(ctx, {
      ...toTokenColumns(fields),
      kind: 'mcp',
      createdBy: user.id,
      promptIds,
      chainIds,
      includesAllPrompts: allPrompts,
      includesAllChains: allChains,
    })
  })
  return showValue(ctx, { user, ...created })
}

export async function createFolderToken(
  ctx: Context,
  { fields, user }: Request<typeof createFolderTokenRequest>,
): Promise<CreatedFolderToken> {
  const created = await transaction(ctx, async (ctx) =>
    createToken(ctx, { ...toFolderColumns(toTokenColumns(fields)), kind: 'folder', createdBy: user.id }),
  )
  return showValue(ctx, { user, ...created })
}

interface NewToken<Kind extends TokenType> extends Omit<TokenFields, 'fills'> {
  /** Absent: what the texts hold now. */
  fills?: Fill[] | undefined
  kind: Kind
  createdBy: number
  name: string
  chainId?: number
  chainIds?: number[]
  promptIds?: number[]
}

async function createToken<Kind extends TokenType>(
  ctx: Context<Transaction>,
  { chainIds = [], promptIds = [], ...columns }: NewToken<Kind>,
): Promise<ValuedToken<Kind>> {
  const { kind, createdBy } = columns
  const fills = await fillsOfNew(ctx, { ...columns, chainIds, promptIds, fills: columns.fills })
  // Unique until the value is there, which is bound to the id.
  const id = await insertToken(ctx.db, {
    ...columns,
    fills,
    sha256: `none ${mintTokenValue(kind)}`,
    prefix: '',
  })
  const value = await replaceValue(ctx, { token: { id, createdBy, kind } })
  await replaceTokenChains(ctx.db, { tokenId: id, chainIds })
  await replaceTokenPrompts(ctx.db, { tokenId: id, promptIds })
  await insertTokenEvent(ctx.db, { actorId: createdBy, tokenId: id, action: 'token.created' })
  return { id, kind, value }
}

import type {
  CreatedBestToken,
  CreatedChainToken,
  CreatedMcpToken,
  CreatedReadToken,
  createBestTokenRequest,
  createMcpTokenRequest,
  createReadTokenRequest,
  createTokenRequest,
  Fill,
  TokenType,
  User,
} from '@catenary/contracts'
import type * as z from 'zod'
import type { Transaction } from '../../../db/executor.ts'
import { toTokenColumns } from '../token-columns.ts'
import { fillsOfNew } from '../token-fills.ts'
import { requireVisibleChains, requireVisiblePrompts } from '../token-scope.ts'
import { mintTokenValue } from '../token-value.ts'
import {
  insertToken,
  insertTokenEvent,
  replaceTokenChains,
  replaceTokenPrompts,
  type TokenFields,
} from '../tokens.repository.ts'
import type { TokensDeps } from '../tokens-deps.ts'
import { replaceValue, showValue, type ValuedToken } from './token-values.ts'

interface Request<Schema extends z.ZodType> {
  fields: z.output<Schema>
  user: User
}

/** With its value, which no list shows, as for each kind. Throws unless the person may edit the chain. */
export async function createChainToken(
  deps: TokensDeps,
  { fields: { chainId, ...fields }, user }: Request<typeof createTokenRequest>,
): Promise<CreatedChainToken> {
  const { db, chains } = deps
  await chains.requireEditable(db, { id: chainId, user })
  const created = await db.transaction(async (tx) => {
    await chains.requireLabel(tx, { chainId, chainLabel: fields.chainLabel })
    return createTokenIn(deps, tx, { ...toTokenColumns(fields), kind: 'chain', createdBy: user.id, chainId })
  })
  return showValue(deps, { user, ...created })
}

/** Throws `not_found` unless the person sees all of the chains; none named: all that they can use. */
export async function createBestToken(
  deps: TokensDeps,
  { fields: { includedChainIds: chainIds, ...fields }, user }: Request<typeof createBestTokenRequest>,
): Promise<CreatedBestToken> {
  const created = await deps.db.transaction(async (tx) => {
    await requireVisibleChains(tx, { ids: chainIds, user })
    return createTokenIn(deps, tx, {
      ...toTokenColumns(fields),
      kind: 'best',
      createdBy: user.id,
      chainIds,
      includesAllChains: chainIds.length === 0,
    })
  })
  return showValue(deps, { user, ...created })
}

/** Throws `not_found` unless the person sees all of the prompts. */
export async function createReadToken(
  deps: TokensDeps,
  { fields: { promptIds, ...fields }, user }: Request<typeof createReadTokenRequest>,
): Promise<CreatedReadToken> {
  const created = await deps.db.transaction(async (tx) => {
    await requireVisiblePrompts(tx, { ids: promptIds, user })
    return createTokenIn(deps, tx, { ...toTokenColumns(fields), kind: 'read', createdBy: user.id, promptIds })
  })
  return showValue(deps, { user, ...created })
}

/** Throws `not_found` unless the person sees all of the prompts and chains. */
export async function createMcpToken(
  deps: TokensDeps,
  {
    fields: { promptIds, allPrompts, chainIds, allChains, ...fields },
    user,
  }: Request<typeof createMcpTokenRequest>,
): Promise<CreatedMcpToken> {
  const created = await deps.db.transaction(async (tx) => {
    await requireVisiblePrompts(tx, { ids: promptIds, user })
    await requireVisibleChains(tx, { ids: chainIds, user })
    return createTokenIn(deps, tx, {
      ...toTokenColumns(fields),
      kind: 'mcp',
      createdBy: user.id,
      promptIds,
      chainIds,
      includesAllPrompts: allPrompts,
      includesAllChains: allChains,
    })
  })
  return showValue(deps, { user, ...created })
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

export async function createTokenIn<Kind extends TokenType>(
  deps: TokensDeps,
  tx: Transaction,
  { chainIds = [], promptIds = [], ...columns }: NewToken<Kind>,
): Promise<ValuedToken<Kind>> {
  const { kind, createdBy } = columns
  const fills = await fillsOfNew(tx, { ...columns, chainIds, promptIds, fills: columns.fills })
  // Unique until the value is there, which is bound to the id.
  const id = await insertToken(tx, { ...columns, fills, sha256: `none ${mintTokenValue(kind)}`, prefix: '' })
  const value = await replaceValue(deps, tx, { token: { id, createdBy, kind } })
  await replaceTokenChains(tx, { tokenId: id, chainIds })
  await replaceTokenPrompts(tx, { tokenId: id, promptIds })
  await insertTokenEvent(tx, { actorId: createdBy, tokenId: id, action: 'token.created' })
  return { id, kind, value }
}

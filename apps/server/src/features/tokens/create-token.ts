import {
  type chosenFills,
  type createBestTokenRequest,
  type createTokenRequest,
  reachOf,
  type TokenScope,
  type TokenType,
  type User,
} from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { requireChainLabel, requireEditableChain } from '../chains/chains.ts'
import { fillsOfNew } from './token-fills.ts'
import { chainScopes } from './token-kinds.ts'
import { mintTokenValue } from './token-value.ts'
import { replaceValue, showValue } from './token-values.ts'
import type { TokenOfKind } from './token-views.ts'
import {
  insertToken,
  insertTokenEvent,
  listChainNames,
  listPromptTitles,
  type TokenFields,
} from './tokens.sql.ts'

/** What requests of any kind may set. */
export type TokenSettings = Partial<Omit<z.output<typeof createBestTokenRequest>, 'includedChainIds'>> &
  Pick<TokenFields, 'labels' | 'chainLabel'>

/** What is asked for, as it is kept. */
export function toTokenColumns({ expiresAt, monthlyBudgetUsd, ...fields }: TokenSettings): TokenFields {
  return {
    name: fields.name,
    chainLabel: fields.chainLabel,
    labels: fields.labels,
    threshold: fields.threshold,
    answersHelperJobs: fields.answersHelperJobs,
    showsProgress: fields.showsProgress,
    requestsPerMinute: fields.requestsPerMinute,
    callsAtOnce: fields.callsAtOnce,
    expiresAt: expiresAt ? new Date(expiresAt) : (expiresAt as null | undefined),
    monthlyBudgetNanos: monthlyBudgetUsd && usdToNanos(monthlyBudgetUsd),
  }
}

interface NewToken<Kind extends TokenType> {
  kind: Kind
  scopes: TokenScope[]
  fields: TokenSettings & { name: string; fills?: z.output<typeof chosenFills> }
  user: User
  /** Of a chain's token. */
  chainId?: number
}

/** With its value, which no list shows. Throws `not_found` unless the person sees all that it names. */
export async function createToken<Kind extends TokenType>(
  ctx: Context,
  { kind, scopes, fields, user, chainId }: NewToken<Kind>,
): Promise<TokenOfKind[Kind] & { token: string }> {
  const created = await transaction(ctx, async (ctx) => {
    await requireVisible(ctx, { user, ...reachOf(scopes) })
    if (chainId !== undefined) await requireChainLabel(ctx, { chainId, chainLabel: fields.chainLabel })
    // Unique until the value is there, which is bound to the id.
    const id = await insertToken(ctx.db, {
      ...toTokenColumns(fields),
      name: fields.name,
      kind,
      scopes,
      chainId,
      createdBy: user.id,
      fills: await fillsOfNew(ctx, { userId: user.id, scopes, fills: fields.fills }),
      sha256: `none ${mintTokenValue(kind)}`,
      prefix: '',
    })
    const value = await replaceValue(ctx, { token: { id, createdBy: user.id, kind } })
    await insertTokenEvent(ctx.db, { actorId: user.id, tokenId: id, action: 'token.created' })
    return { id, kind, value }
  })
  return showValue(ctx, { user, ...created })
}

/** Throws unless the person may edit the chain. */
export async function createChainToken(
  ctx: Context,
  { fields: { chainId, ...fields }, user }: { fields: z.output<typeof createTokenRequest>; user: User },
): Promise<TokenOfKind['chain'] & { token: string }> {
  await requireEditableChain(ctx, { id: chainId, user })
  return createToken(ctx, { kind: 'chain', scopes: chainScopes(chainId), fields, user, chainId })
}

/** Throws `not_found` unless the person sees all of the prompts and chains. */
export async function requireVisible(
  { db }: SqlContext,
  { user, promptIds = [], chainIds = [] }: { user: User; promptIds?: number[]; chainIds?: number[] },
): Promise<void> {
  const userId = user.id
  const prompts = await listPromptTitles(db, { ids: promptIds, userId })
  if (prompts.length < new Set(promptIds).size) throw new AppError('not_found', 'Prompt not found')
  const chains = await listChainNames(db, { ids: chainIds, userId })
  if (chains.length < new Set(chainIds).size) throw new AppError('not_found', 'Chain not found')
}

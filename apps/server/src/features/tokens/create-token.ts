import {
  type CreatedOwnToken,
  type chosenFills,
  type chosenSends,
  type createBestTokenRequest,
  type createOwnTokenRequest,
  kindOfScopes,
  reachOf,
  SCOPE_TEXTS,
  type TokenScope,
  type TokenType,
  type User,
} from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { requireChainLabel, requireEditableChain } from '../chains/chains.ts'
import { toSends } from '../fills/fills.ts'
import { type HookSettings, hookColumns, requireHookSettings } from './hook-settings.ts'
import { fillsOfNew } from './token-fills.ts'
import { changeScopes } from './token-kinds.ts'
import { mintTokenValue } from './token-value.ts'
import { replaceValue } from './token-values.ts'
import { showToken, type TokenOfKind } from './token-views.ts'
import { isOfOneChain } from './tokens.policy.ts'
import {
  insertToken,
  listChainNames,
  listPromptTitles,
  type TokenFields,
  updateTokenRow,
} from './tokens.sql.ts'

export type TokenSettings = Partial<Omit<z.output<typeof createBestTokenRequest>, 'includedChainIds'>> &
  Pick<TokenFields, 'labels' | 'chainLabel'> &
  HookSettings

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

interface NewToken<Kind extends TokenType = TokenType> {
  kind: Kind
  scopes: TokenScope[]
  fields: TokenSettings & {
    name: string
    fills?: z.output<typeof chosenFills>
    sends?: z.output<typeof chosenSends>
  }
  user: User
}

/** With its value, which no list shows. Throws unless the person sees all that it names, and may edit the chain of a chain's token. */
export async function createToken<Kind extends TokenType>(
  ctx: Context,
  wanted: NewToken<Kind>,
): Promise<TokenOfKind[Kind] & { token: string }> {
  const { kind, user } = wanted
  const { id, value } = await makeToken(ctx, wanted)
  return { ...(await showToken(ctx, { id, user, kind })), token: value }
}

/** Its scopes decide its kind; it is shown by them. */
export async function createOwnToken(
  ctx: Context,
  {
    fields: { scopes: asked, tokenType, ...fields },
    user,
  }: { fields: z.output<typeof createOwnTokenRequest>; user: User },
): Promise<CreatedOwnToken> {
  const scopes = changeScopes(asked)
  const { id, value } = await makeToken(ctx, {
    kind: tokenType ?? kindOfScopes(scopes),
    scopes,
    fields,
    user,
  })
  return { ...(await showToken(ctx, { id, user, kind: 'scoped' })), token: value }
}

async function makeToken(
  ctx: Context,
  { kind, scopes, fields, user }: NewToken,
): Promise<{ id: number; value: string }> {
  const [chainId] = isOfOneChain(kind) ? reachOf(scopes).chainIds : []
  if (chainId !== undefined) await requireEditableChain(ctx, { id: chainId, user })
  requireFittingLabel(kind, fields.chainLabel)
  requireHookSettings(kind, fields)
  return transaction(ctx, async (ctx) => {
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
      sends: toSends(fields.sends ?? []),
      sha256: `none ${mintTokenValue(kind)}`,
      prefix: '',
    })
    const token = { id, createdBy: user.id, kind }
    await updateTokenRow(ctx.db, { id, ...hookColumns(ctx, { token, fields }) })
    const value = await replaceValue(ctx, { token })
    const after = { kind, scopes, expiresAt: fields.expiresAt }
    await recordActivity(ctx, { kind: 'token.created', object: 'token', id, after })
    return { id, value }
  })
}

/** Throws `invalid` for the label of a chain on a token that is not one chain's. */
export function requireFittingLabel(kind: TokenType, chainLabel: string | null | undefined): void {
  if (!isOfOneChain(kind) && chainLabel != null) throw new AppError('invalid', SCOPE_TEXTS.labelOfOneChain)
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

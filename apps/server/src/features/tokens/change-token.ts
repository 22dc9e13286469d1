import {
  reachOf,
  type TokenScope,
  type TokenType,
  type User,
  type updateTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { requireChainLabel } from '../chains/chains.ts'
import { requireVisible, type TokenSettings, toTokenColumns } from './create-token.ts'
import { openOwnToken, openToken, tokenNotFound, type WantedToken } from './open-token.ts'
import { fillsAfter } from './token-fills.ts'
import { changeScopes, type ScopeChange } from './token-kinds.ts'
import { showToken, type TokenOfKind } from './token-views.ts'
import { canDeleteToken } from './tokens.policy.ts'
import { deleteTokenRow, insertTokenEvent, type TokenRow, updateTokenRow } from './tokens.sql.ts'

interface TokenChange<Kind extends TokenType> {
  id: number
  user: User
  kind: Kind
  fields: TokenSettings & Pick<z.output<typeof updateTokenRequest>, 'fills'>
  /** What it is for after the change, by what it is for now. */
  change?: ScopeChange | ((scopes: readonly TokenScope[]) => ScopeChange)
}

/** An absent field stays as it is, and the value always does. Throws `not_found` unless the person sees all that it is to name. */
export async function updateToken<Kind extends TokenType>(
  ctx: Context,
  { fields, change = {}, ...wanted }: TokenChange<Kind>,
): Promise<TokenOfKind[Kind]> {
  const { id, user } = wanted
  await transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    await requireNewLabel(ctx, { token, chainLabel: fields.chainLabel })
    const asked = typeof change === 'function' ? change(token.scopes) : change
    await requireVisible(ctx, { user, ...(asked.scopes ? reachOf(asked.scopes) : asked.reach) })
    const scopes = changeScopes(token.scopes, asked)
    const fills = await fillsAfter(ctx, { token, scopes, fills: fields.fills })
    await updateTokenRow(ctx.db, { id, ...toTokenColumns(fields), scopes, fills })
  })
  return showToken(ctx, wanted)
}

async function requireNewLabel(
  ctx: Context<Transaction>,
  { token, chainLabel }: { token: TokenRow; chainLabel: string | null | undefined },
): Promise<void> {
  if (chainLabel === undefined || chainLabel === token.chainLabel) return
  await requireChainLabel(ctx, { chainId: token.chainId, chainLabel })
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

import {
  type OwnTokenDetails,
  reachOf,
  type TokenType,
  type User,
  type updateOwnTokenRequest,
  type updateTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { requireChainLabel } from '../chains/chains.ts'
import { toSends } from '../fills/fills.ts'
import { requireFittingLabel, requireVisible, type TokenSettings, toTokenColumns } from './create-token.ts'
import { hookColumns, requireHookSettings } from './hook-settings.ts'
import { findOwnToken, openOwnToken, openToken, tokenNotFound, type WantedToken } from './open-token.ts'
import { fillsAfter } from './token-fills.ts'
import { changeScopes, replaceScopes, type ScopeChange } from './token-kinds.ts'
import { showToken, type TokenOfKind } from './token-views.ts'
import { canDeleteToken } from './tokens.policy.ts'
import { deleteTokenRow, type TokenRow, updateTokenRow } from './tokens.sql.ts'

interface TokenChange extends WantedToken {
  fields: TokenSettings & Pick<z.output<typeof updateTokenRequest>, 'fills' | 'sends'>
  /** What it is for after the change; absent: what it is for now. */
  changeOf?: (token: TokenRow) => ScopeChange
}

/** An absent field stays as it is, and the value always does. Throws `not_found` unless the person sees all that it is to name. */
export async function updateToken<Kind extends TokenType>(
  ctx: Context,
  change: TokenChange & { kind: Kind },
): Promise<TokenOfKind[Kind]> {
  await applyChange(ctx, change)
  return showToken(ctx, change)
}

/** The same of one's own of whichever kind, by its scopes. Throws `invalid` for scopes that its kind can't have. */
export async function updateOwnToken(
  ctx: Context,
  { fields, ...wanted }: { id: number; user: User; fields: z.output<typeof updateOwnTokenRequest> },
): Promise<OwnTokenDetails> {
  const { scopes, ...settings } = fields
  await findOwnToken(ctx, wanted)
  const changeOf = (token: TokenRow) => (scopes === undefined ? {} : replaceScopes(token, scopes))
  await applyChange(ctx, { ...wanted, fields: settings, changeOf })
  return showToken(ctx, { ...wanted, kind: 'scoped' })
}

async function applyChange(
  ctx: Context,
  { fields, changeOf = () => ({}), ...wanted }: TokenChange,
): Promise<void> {
  const { id, user } = wanted
  const { chainLabel } = fields
  await transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    requireFittingLabel(token.kind, chainLabel)
    requireHookSettings(token.kind, fields)
    if (chainLabel !== undefined && chainLabel !== token.chainLabel) {
      await requireChainLabel(ctx, { chainId: token.chainId, chainLabel })
    }
    const change = changeOf(token)
    // All scopes come along in a change of one: what was named before stays, seen or not.
    const added = change.scopes?.filter((scope) => !token.scopes.includes(scope))
    await requireVisible(ctx, { user, ...(added ? reachOf(added) : change.reach) })
    const scopes = changeScopes(token.scopes, change)
    const fills = await fillsAfter(ctx, { token, scopes, fills: fields.fills })
    const sends = fields.sends && toSends(fields.sends)
    await updateTokenRow(ctx.db, {
      id,
      ...toTokenColumns(fields),
      ...hookColumns(ctx, { token, fields }),
      scopes,
      fills,
      ...(sends && { sends }),
    })
    const { scopes: before, expiresAt, createdBy: ownerId } = token
    await recordActivity(ctx, {
      kind: 'token.changed',
      object: 'token',
      id,
      ownerId,
      before: { scopes: before, expiresAt },
      after: {
        scopes: scopes ?? before,
        expiresAt: fields.expiresAt === undefined ? expiresAt : fields.expiresAt,
      },
    })
  })
}

/** Ends it at once, in every process. */
export function deleteToken(ctx: Context, wanted: WantedToken): Promise<void> {
  const { id, user } = wanted
  return transaction(ctx, async (ctx) => {
    const { token, editsChain } = await openToken(ctx, wanted)
    if (!canDeleteToken(user, token, { editsChain: await editsChain() })) throw tokenNotFound()
    await deleteTokenRow(ctx.db, id)
    await recordActivity(ctx, { kind: 'token.deleted', object: 'token', id, ownerId: token.createdBy })
  })
}

/** Ends one of one's own of whichever kind. Throws `not_found` for another's that the person may end. */
export async function deleteOwnToken(ctx: Context, wanted: { id: number; user: User }): Promise<void> {
  await findOwnToken(ctx, wanted)
  await deleteToken(ctx, wanted)
}

import {
  type CreatedOwnToken,
  type createOwnTokenRequest,
  kindOfScopes,
  type OwnTokenDetails,
  reachOf,
  SCOPE_TEXTS,
  type TokenScope,
  type TokenType,
  type User,
  type updateOwnTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { requireEditableChain } from '../chains/chains.ts'
import { updateToken } from './change-token.ts'
import { createToken } from './create-token.ts'
import { tokenNotFound } from './open-token.ts'
import { changeScopes } from './token-kinds.ts'
import { showToken } from './token-views.ts'
import { canManageToken } from './tokens.policy.ts'
import { listTokens } from './tokens.sql.ts'

/** Of the kind that its scopes make; that of a chain wants the right to edit the chain. */
export async function createOwnToken(
  ctx: Context,
  { fields: { scopes, ...fields }, user }: { fields: z.output<typeof createOwnTokenRequest>; user: User },
): Promise<CreatedOwnToken> {
  const kind = kindOfScopes(scopes)
  const [chainId] = kind === 'chain' ? reachOf(scopes).chainIds : []
  if (chainId !== undefined) await requireEditableChain(ctx, { id: chainId, user })
  requireFittingLabel({ kind, chainLabel: fields.chainLabel })
  const { id, token } = await createToken(ctx, {
    kind,
    scopes: changeScopes(scopes, {}),
    fields,
    user,
    chainId,
  })
  return { ...(await showOwnToken(ctx, { id, user })), token }
}

/** Throws `not_found` for another person's. */
export async function showOwnToken(
  ctx: Context,
  { id, user }: { id: number; user: User },
): Promise<OwnTokenDetails> {
  await requireOwnToken(ctx, { id, user })
  return showToken(ctx, { id, user, kind: 'scoped' })
}

/** Throws `invalid` for scopes that its kind can't have. */
export async function updateOwnToken(
  ctx: Context,
  { id, user, fields }: { id: number; user: User; fields: z.output<typeof updateOwnTokenRequest> },
): Promise<OwnTokenDetails> {
  const { kind } = await requireOwnToken(ctx, { id, user })
  const { scopes, ...settings } = fields
  requireFittingLabel({ kind, chainLabel: settings.chainLabel })
  await updateToken(ctx, {
    id,
    user,
    kind,
    fields: settings,
    change: (before) => (scopes === undefined ? {} : replaceScopes({ kind, before, after: scopes })),
  })
  return showOwnToken(ctx, { id, user })
}

function replaceScopes({
  kind,
  before,
  after,
}: {
  kind: TokenType
  before: readonly TokenScope[]
  after: TokenScope[]
}) {
  const wanted = kindOfScopes(after)
  const isSame = `${changeScopes(after, {})}` === `${changeScopes(before, {})}`
  const fits =
    kind === 'scoped' || (kind === 'best' ? wanted === 'best' || wanted === 'chain' : wanted === kind)
  if (!isSame && (kind === 'chain' || !fits)) throw new AppError('invalid', SCOPE_TEXTS.otherKind)
  return { scopes: after }
}

async function requireOwnToken({ db }: Context, { id, user }: { id: number; user: User }) {
  const [found] = await listTokens(db, { id })
  if (found === undefined || !canManageToken(user, found)) throw tokenNotFound()
  return found
}

function requireFittingLabel({
  kind,
  chainLabel,
}: {
  kind: TokenType
  chainLabel: string | null | undefined
}) {
  if (kind !== 'chain' && chainLabel != null) throw new AppError('invalid', SCOPE_TEXTS.labelOfOneChain)
}

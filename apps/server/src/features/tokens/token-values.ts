import { TOKEN_TEXTS, type TokenType } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { openOwnToken, type WantedToken } from './open-token.ts'
import { hashOf, mintTokenValue, prefixOf, sealContextOf } from './token-value.ts'
import { showToken, type TokenOfKind } from './token-views.ts'
import { type TokenFields, type TokenRow, updateTokenRow } from './tokens.sql.ts'

const MINUTE_MS = 60_000

/** Its value again; throws `gone` where it is not kept, or another key sealed it. */
export function revealToken(ctx: Context, wanted: WantedToken): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    const { id, encryptedValue: sealed } = token
    const context = sealContextOf(token)
    const value = sealed === null ? undefined : ctx.secrets.openOptional({ sealed, context })
    if (value === undefined) throw new AppError('gone', TOKEN_TEXTS.errorRetrievingBody)
    await recordActivity(ctx, { kind: 'token.revealed', object: 'token', id })
    return value
  })
}

/** A new value; the one before works on for a chosen time. */
export async function rotateToken(
  ctx: Context,
  { overlapMinutes, ...wanted }: WantedToken & { overlapMinutes: number },
): Promise<TokenOfKind[TokenType] & { token: string }> {
  const { user } = wanted
  const { id, kind, value } = await transaction(ctx, async (ctx) => {
    const token = await openOwnToken(ctx, wanted)
    const previousUntil = new Date(ctx.now().getTime() + overlapMinutes * MINUTE_MS)
    const value = await replaceValue(ctx, {
      token,
      columns:
        overlapMinutes === 0
          ? { previousSha256: null, previousUntil: null }
          : { previousSha256: token.sha256, previousUntil },
    })
    const { id, kind } = token
    await recordActivity(ctx, { kind: 'token.rotated', object: 'token', id, after: { overlapMinutes } })
    return { id, kind, value }
  })
  return { ...(await showToken(ctx, { id, user, kind })), token: value }
}

type Owned = Pick<TokenRow, 'id' | 'createdBy' | 'kind'>

/** Has a new value take the place of the one before; only its hash is kept and, with TOKEN_REVEAL, the sealed value. */
export async function replaceValue(
  { db, secrets, settings }: Context<Transaction>,
  { token, columns }: { token: Owned; columns?: TokenFields },
): Promise<string> {
  const value = mintTokenValue(token.kind)
  await updateTokenRow(db, {
    ...columns,
    id: token.id,
    sha256: hashOf(value),
    prefix: prefixOf(value),
    encryptedValue: settings.tokenReveal
      ? secrets.seal({ text: value, context: sealContextOf(token) })
      : null,
  })
  return value
}

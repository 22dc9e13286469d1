import { TOKEN_TEXTS, type TokenType, type User } from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { hashOf, mintTokenValue, prefixOf } from '../token-value.ts'
import { showToken, type TokenOfKind } from '../token-views.ts'
import { insertTokenEvent, type TokenFields, type TokenRow, updateTokenRow } from '../tokens.repository.ts'
import type { TokensDeps } from '../tokens-deps.ts'
import { openOwnToken, type WantedToken } from './open-token.ts'

const MINUTE_MS = 60_000

/** A token whose value was just made. */
export interface ValuedToken<Kind extends TokenType = TokenType> {
  id: number
  kind: Kind
  value: string
}

/** Its value again; throws `gone` where it is not kept, or another key sealed it. */
export function revealToken(deps: TokensDeps, wanted: WantedToken): Promise<string> {
  const { db, secrets } = deps
  return db.transaction(async (tx) => {
    const token = await openOwnToken(deps, tx, wanted)
    const { id, encryptedValue: sealed } = token
    const value = sealed === null ? undefined : secrets.openOptional({ sealed, context: aad(token) })
    if (value === undefined) throw new AppError('gone', TOKEN_TEXTS.errorRetrievingBody)
    await insertTokenEvent(tx, { actorId: wanted.user.id, tokenId: id, action: 'token.revealed' })
    return value
  })
}

/** A new value; the one before works on for a chosen time. */
export async function rotateToken(
  deps: TokensDeps,
  { overlapMinutes, ...wanted }: WantedToken & { overlapMinutes: number },
): Promise<TokenOfKind[TokenType] & { token: string }> {
  const { user } = wanted
  const rotated = await deps.db.transaction(async (tx) => {
    const token = await openOwnToken(deps, tx, wanted)
    const previousUntil = new Date(deps.now().getTime() + overlapMinutes * MINUTE_MS)
    const value = await replaceValue(deps, tx, {
      token,
      columns:
        overlapMinutes === 0
          ? { previousSha256: null, previousUntil: null }
          : { previousSha256: token.sha256, previousUntil },
    })
    const event = { actorId: user.id, tokenId: token.id, action: 'token.rotated' }
    await insertTokenEvent(tx, { ...event, details: { overlapMinutes } })
    return { id: token.id, kind: token.kind, value }
  })
  return showValue(deps, { user, ...rotated })
}

type Owned = Pick<TokenRow, 'id' | 'createdBy' | 'kind'>

/** Has a new value take the place of the one before; only its hash and, sealed, the value are kept. */
export async function replaceValue(
  { secrets, keepsValues }: TokensDeps,
  tx: Transaction,
  { token, columns }: { token: Owned; columns?: TokenFields },
): Promise<string> {
  const value = mintTokenValue(token.kind)
  await updateTokenRow(tx, {
    ...columns,
    id: token.id,
    sha256: hashOf(value),
    prefix: prefixOf(value),
    encryptedValue: keepsValues ? secrets.seal({ text: value, context: aad(token) }) : null,
  })
  return value
}

/** As its creator sees it, with the value that no list shows. */
export async function showValue<Kind extends TokenType>(
  deps: TokensDeps,
  { value, ...token }: ValuedToken<Kind> & { user: User },
): Promise<TokenOfKind[Kind] & { token: string }> {
  return { ...(await showToken(deps, token)), token: value }
}

/** What a sealed value is bound to. */
export const aad = ({ id, createdBy, kind }: Owned): string =>
  JSON.stringify(['api token', id, createdBy, kind])

import { reachOf, type TokenReach, type TokenType, type User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { requireEditableChain } from '../chains/chains.ts'
import { canManageToken, isOfOneChain } from './tokens.policy.ts'
import { type ListedToken, listTokens, lockOptionalToken, type TokenRow } from './tokens.sql.ts'

/** Of any kind where none is named. */
export interface WantedToken {
  id: number
  user: User
  kind?: TokenType | undefined
}

interface OpenedToken {
  token: TokenRow
  /** Whether the person may edit the chain that it is for. */
  editsChain: () => Promise<boolean>
}

/** Locks it for the transaction. Throws `not_found` for a token of another kind. */
export async function openToken(
  ctx: Context<Transaction>,
  { id, user, kind }: WantedToken,
): Promise<OpenedToken> {
  const token = await lockOptionalToken(ctx.db, id)
  if (token === undefined || (kind !== undefined && token.kind !== kind)) throw tokenNotFound()
  const { chainId } = token
  return {
    token,
    async editsChain() {
      if (chainId === null) return false
      return requireEditableChain(ctx, { id: chainId, user }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError) return false
          throw error
        },
      )
    },
  }
}

/** The same for who created it; throws `forbidden` for others who may edit its chain, else `not_found`. */
export async function openOwnToken(ctx: Context<Transaction>, wanted: WantedToken): Promise<TokenRow> {
  const { token, editsChain } = await openToken(ctx, wanted)
  if (canManageToken(wanted.user, token)) return token
  const isSeen = isOfOneChain(token.kind) && (await editsChain())
  throw isSeen
    ? new AppError('forbidden', 'Only the person who created a token may do this')
    : tokenNotFound()
}

/** As a list has it; throws `not_found` unless the person created it. */
export async function findOwnToken(
  { db }: SqlContext,
  { id, user }: { id: number; user: User },
): Promise<ListedToken> {
  const [found] = await listTokens(db, { id })
  if (found === undefined || !canManageToken(user, found)) throw tokenNotFound()
  return found
}

/** What a token for agents of the person's own reaches; throws `not_found` for others. */
export async function findOwnReach(
  ctx: SqlContext,
  wanted: { id: number; user: User },
): Promise<TokenReach & { labels: string[] }> {
  const { scopes, labels } = await findOwnToken(ctx, wanted)
  if (!scopes.includes('agent')) throw tokenNotFound()
  return { ...reachOf(scopes), labels }
}

export function tokenNotFound(): AppError {
  return new AppError('not_found', 'Token not found')
}

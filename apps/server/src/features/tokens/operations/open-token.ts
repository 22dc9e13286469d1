import type { TokenType, User } from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { canManageToken } from '../tokens.policy.ts'
import { lockOptionalToken, type TokenRow } from '../tokens.repository.ts'
import type { TokensDeps } from '../tokens-deps.ts'

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
  { chains }: TokensDeps,
  tx: Transaction,
  { id, user, kind }: WantedToken,
): Promise<OpenedToken> {
  const token = await lockOptionalToken(tx, id)
  if (token === undefined || (kind !== undefined && token.kind !== kind)) throw tokenNotFound()
  const { chainId } = token
  return {
    token,
    async editsChain() {
      if (chainId === null) return false
      return chains.requireEditable(tx, { id: chainId, user }).then(
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
export async function openOwnToken(
  deps: TokensDeps,
  tx: Transaction,
  wanted: WantedToken,
): Promise<TokenRow> {
  const { token, editsChain } = await openToken(deps, tx, wanted)
  if (canManageToken(wanted.user, token)) return token
  const isSeen = token.kind === 'chain' && (await editsChain())
  throw isSeen ? new AppError('forbidden', 'Only who created a token may do this') : tokenNotFound()
}

export function tokenNotFound(): AppError {
  return new AppError('not_found', 'Token not found')
}

import type { TokenType, User, updateReadTokenRequest, updateTokenRequest } from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import type { Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { ChainsService } from '../chains/chains.ts'
import { hashOf, mintTokenValue, prefixOf } from './token-value.ts'
import { canManageToken } from './tokens.policy.ts'
import {
  createToken,
  createTokenEvent,
  lockOptionalToken,
  replaceTokenChains,
  replaceTokenPrompts,
  type TokenFields,
  type TokenRow,
  updateToken,
} from './tokens.repository.ts'

export interface TokenRecordsDeps {
  chains: Pick<ChainsService, 'requireEditable' | 'requireLabel'>
  secrets: SecretBox
  /** TOKEN_REVEAL: values are kept, sealed, so that they can be copied again. */
  keepsValues: boolean
}

export interface WantedToken {
  id: number
  user: User
}

interface Owned {
  createdBy: number
  kind: TokenType
}

interface NewToken extends Owned, TokenFields {
  name: string
  chainId?: number
  chainIds?: number[]
  promptIds?: number[]
}

interface GivenValue {
  value: string
  columns: { sha256: string; prefix: string; encryptedValue: string | null }
}

/** What all kinds of token share: their values, and who may manage them. */
export function createTokenRecords({ chains, secrets, keepsValues }: TokenRecordsDeps) {
  /** Has a new value take the place of the one before; only its hash and, sealed, the value are kept. */
  function giveValue({ id, createdBy, kind }: Owned & { id: number }): GivenValue {
    const value = mintTokenValue(kind)
    const encryptedValue = keepsValues
      ? secrets.seal({ text: value, context: aad({ id, createdBy, kind }) })
      : null
    return { value, columns: { sha256: hashOf(value), prefix: prefixOf(value), encryptedValue } }
  }

  async function insert(
    tx: Transaction,
    { chainIds = [], promptIds = [], ...token }: NewToken,
  ): Promise<{ id: number; value: string }> {
    const { createdBy, kind } = token
    // Unique until the value is there, which is bound to the id.
    const id = await createToken(tx, { ...token, sha256: `none ${mintTokenValue(kind)}`, prefix: '' })
    const { value, columns } = giveValue({ id, createdBy, kind })
    await updateToken(tx, { id, ...columns })
    await replaceTokenChains(tx, { tokenId: id, chainIds })
    await replaceTokenPrompts(tx, { tokenId: id, promptIds })
    await createTokenEvent(tx, { actorId: createdBy, tokenId: id, action: 'token.created' })
    return { id, value }
  }

  /** Throws `not_found` unless the person created it, or may edit its chain. */
  async function lockManaged(tx: Transaction, { id, user, kind }: WantedToken & { kind?: TokenType }) {
    const token = await lockOptionalToken(tx, id)
    if (token === undefined || (kind !== undefined && token.kind !== kind)) throw tokenNotFound()
    if (canManageToken(user, token)) return token
    const seen = token.kind === 'chain' && (await editsChainOf(tx, { token, user }))
    throw seen ? new AppError('forbidden', 'Only who created a token may do this') : tokenNotFound()
  }

  async function editsChainOf(
    executor: Executor,
    { token, user }: { token: TokenRow; user: User },
  ): Promise<boolean> {
    if (token.chainId === null) return false
    return chains.requireEditable(executor, { id: token.chainId, user }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError) return false
        throw error
      },
    )
  }

  return { giveValue, insert, lockManaged, editsChainOf }
}

/** What a sealed value is bound to. */
export const aad = ({ id, createdBy, kind }: Owned & { id: number }): string =>
  JSON.stringify(['api token', id, createdBy, kind])

export function tokenNotFound(): AppError {
  return new AppError('not_found', 'Token not found')
}

type WrittenFields = z.output<typeof updateTokenRequest> &
  Omit<z.output<typeof updateReadTokenRequest>, 'promptIds'>

/** What is asked for, as it is kept. */
export function toTokenColumns({ expiresAt, monthlyBudgetUsd, ...fields }: WrittenFields): TokenFields {
  return {
    ...fields,
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(monthlyBudgetUsd === undefined
      ? {}
      : { monthlyBudgetNanos: monthlyBudgetUsd === null ? null : usdToNanos(monthlyBudgetUsd) }),
  }
}

import {
  type BestToken,
  type ChainToken,
  type CreatedBestToken,
  type CreatedChainToken,
  type createBestTokenRequest,
  type createTokenRequest,
  TOKEN_TEXTS,
  type TokenType,
  type User,
  type updateBestTokenRequest,
  type updateTokenRequest,
} from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { ListPage } from '../../list-page.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { ChainsService } from '../chains/chains.service.ts'
import { requireVisibleChains, toScope } from './token-scope.service.ts'
import type { TokenUses } from './token-uses.service.ts'
import { hashOf, mintTokenValue, prefixOf } from './token-value.ts'
import { createTokenViews, type Listed } from './token-views.service.ts'
import { canDeleteToken, canManageToken } from './tokens.policy.ts'
import {
  createToken,
  createTokenEvent,
  deleteToken,
  lockOptionalToken,
  replaceTokenChains,
  type TokenFields,
  type TokenRow,
  updateToken,
} from './tokens.repository.ts'

const MINUTE_MS = 60_000

export interface TokensDeps {
  db: Database
  chains: Pick<ChainsService, 'requireEditable'>
  secrets: SecretBox
  uses: TokenUses
  /** TOKEN_REVEAL: values are kept, sealed, so that they can be copied again. */
  keepsValues: boolean
  now: () => Date
}

interface Wanted {
  id: number
  user: User
}

export type TokensService = ReturnType<typeof createTokensService>

/** The tokens with which programs call chains (D37, D38, D41). */
export function createTokensService({ db, chains, secrets, uses, keepsValues, now }: TokensDeps) {
  const views = createTokenViews({ db, uses })

  /** Has a new value take the place of the one before; only its hash and, sealed, the value are kept. */
  function giveValue({ id, createdBy, kind }: ValuePlace): GivenValue {
    const value = mintTokenValue(kind)
    const encryptedValue = keepsValues
      ? secrets.seal({ text: value, context: placeOf({ id, createdBy, kind }) })
      : null
    return { value, columns: { sha256: hashOf(value), prefix: prefixOf(value), encryptedValue } }
  }

  async function insert(
    tx: Transaction,
    {
      chainIds = [],
      ...token
    }: TokenFields & ValuePlaceOf & { name: string; chainId?: number; chainIds?: number[] },
  ): Promise<{ id: number; value: string }> {
    const { createdBy, kind } = token
    // Unique until the value is there, which is bound to the id.
    const id = await createToken(tx, { ...token, sha256: `none ${mintTokenValue(kind)}`, prefix: '' })
    const { value, columns } = giveValue({ id, createdBy, kind })
    await updateToken(tx, { id, ...columns })
    await replaceTokenChains(tx, { tokenId: id, chainIds })
    await createTokenEvent(tx, { actorId: createdBy, tokenId: id, action: 'token.created' })
    return { id, value }
  }

  /** Throws `not_found` unless the person created it, or may edit its chain. */
  async function lockManaged(tx: Transaction, { id, user, kind }: Wanted & { kind?: TokenType }) {
    const token = await lockOptionalToken(tx, id)
    if (token === undefined || (kind !== undefined && token.kind !== kind)) throw notFound()
    if (canManageToken(user, token)) return token
    const seen = token.kind === 'chain' && (await editsChainOf(tx, { token, user }))
    throw seen ? new AppError('forbidden', 'Only who created a token may do this') : notFound()
  }

  async function editsChainOf(
    tx: Transaction,
    { token, user }: { token: TokenRow; user: User },
  ): Promise<boolean> {
    if (token.chainId === null) return false
    return chains.requireEditable(tx, { id: token.chainId, user }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError) return false
        throw error
      },
    )
  }

  return {
    /** Of all who created one, newest first; throws unless the person may edit the chain. */
    async listByChain({ chainId, ...listed }: Listed & { chainId: number }): Promise<ListPage<ChainToken>> {
      await chains.requireEditable(db, { id: chainId, user: listed.user })
      return views.listChainTokens({ ...listed, chainId })
    },

    /** One's own, newest first. */
    listBest: (listed: Listed): Promise<ListPage<BestToken>> => views.listBestTokens(listed),

    /** With its value, which no list shows. */
    async create({
      fields: { chainId, ...fields },
      user,
    }: {
      fields: z.output<typeof createTokenRequest>
      user: User
    }): Promise<CreatedChainToken> {
      await chains.requireEditable(db, { id: chainId, user })
      const { id, value } = await db.transaction((tx) =>
        insert(tx, { ...toColumns(fields), name: fields.name, createdBy: user.id, kind: 'chain', chainId }),
      )
      return { ...(await views.chainToken({ id, user })), token: value }
    },

    async createBest({
      fields: { includedChainIds: chainIds, threshold, ...fields },
      user,
    }: {
      fields: z.output<typeof createBestTokenRequest>
      user: User
    }): Promise<CreatedBestToken> {
      const { id, value } = await db.transaction(async (tx) => {
        await requireVisibleChains(tx, { ids: chainIds, user })
        return insert(tx, {
          ...toColumns(fields),
          name: fields.name,
          createdBy: user.id,
          kind: 'best',
          chainIds,
          includesAllChains: chainIds.length === 0,
          threshold: threshold ?? null,
        })
      })
      return { ...(await views.bestToken({ id, user })), token: value }
    },

    async update({
      fields,
      ...wanted
    }: Wanted & { fields: z.output<typeof updateTokenRequest> }): Promise<ChainToken> {
      await db.transaction(async (tx) => {
        await lockManaged(tx, { ...wanted, kind: 'chain' })
        await updateToken(tx, { id: wanted.id, ...toColumns(fields) })
      })
      return views.chainToken(wanted)
    },

    /** Changes all but the value. An emptied selection never widens a token (D38). */
    async updateBest({
      fields,
      ...wanted
    }: Wanted & { fields: z.output<typeof updateBestTokenRequest> }): Promise<BestToken> {
      const { includedChainIds: _ids, includesAllChains: _all, threshold, ...rest } = fields
      await db.transaction(async (tx) => {
        const token = await lockManaged(tx, { ...wanted, kind: 'best' })
        const scope = await toScope(tx, { token, fields, user: wanted.user })
        await updateToken(tx, {
          id: wanted.id,
          ...toColumns(rest),
          ...(threshold === undefined ? {} : { threshold }),
          ...(scope === undefined ? {} : { includesAllChains: scope.includesAllChains }),
        })
        if (scope !== undefined)
          await replaceTokenChains(tx, { tokenId: wanted.id, chainIds: scope.chainIds })
      })
      return views.bestToken(wanted)
    },

    /** Ends it at once, in every process. */
    async delete({ id, user, kind }: Wanted & { kind?: TokenType }): Promise<void> {
      await db.transaction(async (tx) => {
        const token = await lockOptionalToken(tx, id)
        if (token === undefined || (kind !== undefined && token.kind !== kind)) throw notFound()
        const editsChain = await editsChainOf(tx, { token, user })
        if (!canDeleteToken(user, token, { editsChain })) throw notFound()
        await deleteToken(tx, id)
        const { name, prefix } = token
        const details = { name, prefix }
        await createTokenEvent(tx, { actorId: user.id, tokenId: id, action: 'token.deleted', details })
      })
    },

    /** Its value again; throws `gone` where it is not kept. */
    reveal(wanted: Wanted): Promise<string> {
      return db.transaction(async (tx) => {
        const { id, createdBy, kind, encryptedValue } = await lockManaged(tx, wanted)
        if (encryptedValue === null) throw new AppError('gone', TOKEN_TEXTS.errorRetrievingBody)
        await createTokenEvent(tx, { actorId: wanted.user.id, tokenId: id, action: 'token.revealed' })
        return secrets.open({ sealed: encryptedValue, context: placeOf({ id, createdBy, kind }) })
      })
    },

    /** A new value; the one before works on for a chosen time. */
    async rotate({
      overlapMinutes,
      ...wanted
    }: Wanted & { overlapMinutes: number }): Promise<CreatedChainToken | CreatedBestToken> {
      const { kind, value } = await db.transaction(async (tx) => {
        const token = await lockManaged(tx, wanted)
        const given = giveValue(token)
        const previousUntil = new Date(now().getTime() + overlapMinutes * MINUTE_MS)
        const previous =
          overlapMinutes === 0
            ? { previousSha256: null, previousUntil: null }
            : { previousSha256: token.sha256, previousUntil }
        await updateToken(tx, { id: token.id, ...given.columns, ...previous })
        const details = { overlapMinutes }
        await createTokenEvent(tx, {
          actorId: wanted.user.id,
          tokenId: token.id,
          action: 'token.rotated',
          details,
        })
        return { kind: token.kind, value: given.value }
      })
      const shown = kind === 'chain' ? await views.chainToken(wanted) : await views.bestToken(wanted)
      return { ...shown, token: value }
    },
  }
}

interface ValuePlaceOf {
  createdBy: number
  kind: TokenType
}
interface ValuePlace extends ValuePlaceOf {
  id: number
}

interface GivenValue {
  value: string
  columns: { sha256: string; prefix: string; encryptedValue: string | null }
}

/** What a sealed value is bound to. */
const placeOf = ({ id, createdBy, kind }: ValuePlace): string =>
  JSON.stringify(['api token', id, createdBy, kind])

function toColumns({
  expiresAt,
  monthlyBudgetUsd,
  ...fields
}: z.output<typeof updateTokenRequest>): TokenFields {
  return {
    ...fields,
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
    ...(monthlyBudgetUsd === undefined
      ? {}
      : { monthlyBudgetNanos: monthlyBudgetUsd === null ? null : usdToNanos(monthlyBudgetUsd) }),
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'Token not found')
}

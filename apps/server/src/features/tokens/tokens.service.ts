import {
  type BestToken,
  type ChainToken,
  type CreatedBestToken,
  type CreatedChainToken,
  type CreatedReadToken,
  type createBestTokenRequest,
  type createReadTokenRequest,
  type createTokenRequest,
  type ReadToken,
  TOKEN_TEXTS,
  type TokenType,
  type User,
  type updateBestTokenRequest,
  type updateReadTokenRequest,
  type updateTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { ListPage } from '../../list-page.ts'
import {
  aad,
  createTokenRecords,
  type TokenRecordsDeps,
  tokenNotFound,
  toTokenColumns,
  type WantedToken,
} from './token-records.service.ts'
import { requireVisibleChains, requireVisiblePrompts, toScope } from './token-scope.service.ts'
import type { TokenUses } from './token-uses.service.ts'
import { createTokenViews, type Listed } from './token-views.service.ts'
import { canDeleteToken } from './tokens.policy.ts'
import {
  createTokenEvent,
  deleteToken,
  lockOptionalToken,
  replaceTokenChains,
  replaceTokenPrompts,
  updateToken,
} from './tokens.repository.ts'

const MINUTE_MS = 60_000

export interface TokensDeps extends TokenRecordsDeps {
  db: Database
  uses: TokenUses
  now: () => Date
}

export type TokensService = ReturnType<typeof createTokensService>

/** The tokens with which programs call chains and fetch prompts (D37, D38, D41, D50). */
export function createTokensService({ db, uses, now, ...deps }: TokensDeps) {
  const { chains, secrets } = deps
  const views = createTokenViews({ db, uses })
  const records = createTokenRecords(deps)

  return {
    /** Everyone's, newest first; throws unless the person may edit the chain. */
    async listByChain({ chainId, ...listed }: Listed & { chainId: number }): Promise<ListPage<ChainToken>> {
      await chains.requireEditable(db, { id: chainId, user: listed.user })
      return views.listChainTokens({ ...listed, chainId })
    },

    /** One's own, newest first. */
    listBest: (listed: Listed): Promise<ListPage<BestToken>> => views.listBestTokens(listed),

    /** One's own, newest first. */
    listRead: (listed: Listed): Promise<ListPage<ReadToken>> => views.listReadTokens(listed),

    /** With its value, which no list shows. */
    async create({
      fields: { chainId, ...fields },
      user,
    }: {
      fields: z.output<typeof createTokenRequest>
      user: User
    }): Promise<CreatedChainToken> {
      await chains.requireEditable(db, { id: chainId, user })
      const { id, value } = await db.transaction(async (tx) => {
        await chains.requireLabel(tx, { chainId, chainLabel: fields.chainLabel })
        const columns = { ...toTokenColumns(fields), name: fields.name, createdBy: user.id }
        return records.insert(tx, { ...columns, kind: 'chain', chainId })
      })
      return { ...(await views.shown.chain({ id, user })), token: value }
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
        return records.insert(tx, {
          ...toTokenColumns(fields),
          name: fields.name,
          createdBy: user.id,
          kind: 'best',
          chainIds,
          includesAllChains: chainIds.length === 0,
          threshold: threshold ?? null,
        })
      })
      return { ...(await views.shown.best({ id, user })), token: value }
    },

    async createRead({
      fields: { promptIds, ...fields },
      user,
    }: {
      fields: z.output<typeof createReadTokenRequest>
      user: User
    }): Promise<CreatedReadToken> {
      const { id, value } = await db.transaction(async (tx) => {
        await requireVisiblePrompts(tx, { ids: promptIds, user })
        const { name } = fields
        return records.insert(tx, {
          ...{ ...toTokenColumns(fields), name, createdBy: user.id },
          ...{ kind: 'read', promptIds },
        })
      })
      return { ...(await views.shown.read({ id, user })), token: value }
    },

    async update({
      fields,
      ...wanted
    }: WantedToken & { fields: z.output<typeof updateTokenRequest> }): Promise<ChainToken> {
      await db.transaction(async (tx) => {
        const token = await records.lockManaged(tx, { ...wanted, kind: 'chain' })
        const { chainLabel } = fields
        const isNewLabel = chainLabel !== undefined && chainLabel !== token.chainLabel
        if (isNewLabel) await chains.requireLabel(tx, { chainId: token.chainId, chainLabel })
        await updateToken(tx, { id: wanted.id, ...toTokenColumns(fields) })
      })
      return views.shown.chain(wanted)
    },

    /** Changes all but the value. An emptied selection never widens a token (D38). */
    async updateBest({
      fields,
      ...wanted
    }: WantedToken & { fields: z.output<typeof updateBestTokenRequest> }): Promise<BestToken> {
      const { includedChainIds: _ids, includesAllChains: _all, threshold, dismissesDropped, ...rest } = fields
      await db.transaction(async (tx) => {
        const token = await records.lockManaged(tx, { ...wanted, kind: 'best' })
        const scope = await toScope(tx, { token, fields, user: wanted.user })
        await updateToken(tx, {
          id: wanted.id,
          ...toTokenColumns(rest),
          ...(threshold === undefined ? {} : { threshold }),
          ...(dismissesDropped === true ? { droppedChainIds: [] } : {}),
          ...(scope === undefined ? {} : { includesAllChains: scope.includesAllChains }),
        })
        if (scope !== undefined)
          await replaceTokenChains(tx, { tokenId: wanted.id, chainIds: scope.chainIds })
      })
      return views.shown.best(wanted)
    },

    /** Changes all but the value. */
    async updateRead({
      fields: { promptIds, ...fields },
      ...wanted
    }: WantedToken & { fields: z.output<typeof updateReadTokenRequest> }): Promise<ReadToken> {
      await db.transaction(async (tx) => {
        await records.lockManaged(tx, { ...wanted, kind: 'read' })
        await updateToken(tx, { id: wanted.id, ...toTokenColumns(fields) })
        if (promptIds === undefined) return
        await requireVisiblePrompts(tx, { ids: promptIds, user: wanted.user })
        await replaceTokenPrompts(tx, { tokenId: wanted.id, promptIds })
      })
      return views.shown.read(wanted)
    },

    /** Ends it at once, in every process. */
    async delete({ id, user, kind }: WantedToken & { kind?: TokenType }): Promise<void> {
      await db.transaction(async (tx) => {
        const token = await lockOptionalToken(tx, id)
        if (token === undefined || (kind !== undefined && token.kind !== kind)) throw tokenNotFound()
        const editsChain = await records.editsChainOf(tx, { token, user })
        if (!canDeleteToken(user, token, { editsChain })) throw tokenNotFound()
        await deleteToken(tx, id)
        const { name, prefix } = token
        const details = { name, prefix }
        await createTokenEvent(tx, { actorId: user.id, tokenId: id, action: 'token.deleted', details })
      })
    },

    /** Its value again; throws `gone` where it is not kept, or another key sealed it. */
    reveal(wanted: WantedToken): Promise<string> {
      return db.transaction(async (tx) => {
        const { id, createdBy, kind, encryptedValue } = await records.lockManaged(tx, wanted)
        const context = aad({ id, createdBy, kind })
        const value =
          encryptedValue === null ? undefined : secrets.openOptional({ sealed: encryptedValue, context })
        if (value === undefined) throw new AppError('gone', TOKEN_TEXTS.errorRetrievingBody)
        await createTokenEvent(tx, { actorId: wanted.user.id, tokenId: id, action: 'token.revealed' })
        return value
      })
    },

    /** A new value; the one before works on for a chosen time. */
    async rotate({
      overlapMinutes,
      ...wanted
    }: WantedToken & { overlapMinutes: number }): Promise<
      CreatedChainToken | CreatedBestToken | CreatedReadToken
    > {
      const { kind, value } = await db.transaction(async (tx) => {
        const token = await records.lockManaged(tx, wanted)
        const given = records.giveValue(token)
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
      return { ...(await views.shown[kind](wanted)), token: value }
    },
  }
}

import type { BestToken, ChainToken, ListQuery, ReadToken, TokenType, User } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../list-page.ts'
import type { TokenUses } from './token-uses.service.ts'
import { canDeleteToken, canManageToken } from './tokens.policy.ts'
import {
  countTokens,
  type ListedToken,
  listDroppedChains,
  listLastSelections,
  listTokenChains,
  listTokenPrompts,
  listTokens,
  type TokensOf,
} from './tokens.repository.ts'

/** Each with up to a thousand chains or prompts. */
const WIDE_PAGE_MAX = 20
const CURSOR = defineCursor({ list: 'tokens', position: cursorPosition.id })

export interface Listed {
  user: User
  query: ListQuery
}

interface TokenViewsDeps {
  db: Database
  uses: Pick<TokenUses, 'list'>
}

/** Tokens as the screens show them, never with a value. */
export function createTokenViews({ db, uses }: TokenViewsDeps) {
  async function toChainTokens({
    rows,
    user,
    editsChain,
  }: {
    rows: ListedToken[]
    user: User
    editsChain: boolean
  }): Promise<ChainToken[]> {
    const metricsOf = await uses.list(rows.map(({ id }) => id))
    return rows.map((row) => ({
      ...toFields({ row, user, editsChain }),
      ...toSwitches(row),
      ...metricsOf(row.id),
      tokenType: 'chain' as const,
      chainId: row.chainId ?? 0,
      chainLabel: row.chainLabel,
    }))
  }

  async function toBestTokens({ rows, user }: { rows: ListedToken[]; user: User }): Promise<BestToken[]> {
    const tokenIds = rows.map(({ id }) => id)
    const metricsOf = await uses.list(tokenIds)
    const included = await listTokenChains(db, { tokenIds, userId: user.id })
    const dropped = await listDroppedChains(db, { tokenIds, userId: user.id })
    const selections = await listLastSelections(db, tokenIds)
    return rows.map((row) => {
      const chains = included.filter(({ tokenId }) => tokenId === row.id)
      const last = selections.find(({ tokenId }) => tokenId === row.id)
      return {
        ...toFields({ row, user, editsChain: false }),
        ...toSwitches(row),
        ...metricsOf(row.id),
        tokenType: 'best' as const,
        includesAllChains: row.includesAllChains,
        includedChainIds: chains.map(({ id }) => id),
        includedChains: chains.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])),
        droppedChains: dropped
          .filter(({ tokenId }) => tokenId === row.id)
          .map(({ id, name }) => ({ id, name })),
        threshold: row.threshold,
        lastSelection: last ?? null,
      }
    })
  }

  async function toReadTokens({ rows, user }: { rows: ListedToken[]; user: User }): Promise<ReadToken[]> {
    const tokenIds = rows.map(({ id }) => id)
    const metricsOf = await uses.list(tokenIds)
    const fetched = await listTokenPrompts(db, { tokenIds, userId: user.id })
    return rows.map((row) => ({
      ...toFields({ row, user, editsChain: false }),
      ...metricsOf(row.id),
      tokenType: 'read' as const,
      mayRun: row.mayRun,
      prompts: fetched.filter(({ tokenId }) => tokenId === row.id).map(({ id, title }) => ({ id, title })),
    }))
  }

  async function find(id: number): Promise<ListedToken> {
    const [row] = await listTokens(db, { id })
    if (row === undefined) throw new AppError('not_found', 'Token not found')
    return row
  }

  async function readPage<Token extends { id: number }>({
    of,
    query: { limit, cursor },
    show,
  }: {
    of: TokensOf
    query: ListQuery
    show: (rows: ListedToken[]) => Promise<Token[]>
  }): Promise<ListPage<Token>> {
    const before = CURSOR.read(cursor)
    return toPage({
      rows: await show(await listTokens(db, { ...of, before, limit: limit + 1 })),
      limit,
      total: before ? undefined : { count: await countTokens(db, of) },
      toItem: (token) => token,
      cursorOf: ({ id }) => CURSOR.write(id),
    })
  }

  /** Those of a kind that the person created. */
  function listOwn<Token extends { id: number }>({
    user,
    kind,
    query: { limit, cursor },
    show,
  }: Listed & { kind: TokenType; show: (rows: ListedToken[]) => Promise<Token[]> }) {
    const query = { limit: Math.min(limit, WIDE_PAGE_MAX), cursor }
    return readPage({ of: { createdBy: user.id, kind }, query, show })
  }

  /** One that its creator has just written. */
  const shown = {
    async chain({ id, user }: { id: number; user: User }): Promise<ChainToken> {
      const [token] = await toChainTokens({ rows: [await find(id)], user, editsChain: false })
      return token as ChainToken
    },
    async best({ id, user }: { id: number; user: User }): Promise<BestToken> {
      const [token] = await toBestTokens({ rows: [await find(id)], user })
      return token as BestToken
    },
    async read({ id, user }: { id: number; user: User }): Promise<ReadToken> {
      const [token] = await toReadTokens({ rows: [await find(id)], user })
      return token as ReadToken
    },
  }

  return {
    /** For editors of the chain. */
    listChainTokens({ chainId, user, query }: Listed & { chainId: number }): Promise<ListPage<ChainToken>> {
      const show = (rows: ListedToken[]) => toChainTokens({ rows, user, editsChain: true })
      return readPage({ of: { chainId }, query, show })
    },

    listBestTokens: (listed: Listed): Promise<ListPage<BestToken>> =>
      listOwn({ ...listed, kind: 'best', show: (rows) => toBestTokens({ rows, user: listed.user }) }),

    listReadTokens: (listed: Listed): Promise<ListPage<ReadToken>> =>
      listOwn({ ...listed, kind: 'read', show: (rows) => toReadTokens({ rows, user: listed.user }) }),

    shown,
  }
}

function toFields({ row, user, editsChain }: { row: ListedToken; user: User; editsChain: boolean }) {
  const isManaged = canManageToken(user, row)
  return {
    id: row.id,
    name: row.name,
    token: row.prefix,
    createdBy: row.creator,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    requestsPerMinute: row.requestsPerMinute,
    callsAtOnce: row.callsAtOnce,
    monthlyBudgetUsd: nanosToUsd(row.monthlyBudgetNanos),
    previousUntil: row.previousUntil?.toISOString() ?? null,
    canReveal: isManaged && row.encryptedValue !== null,
    canEdit: isManaged,
    canDelete: canDeleteToken(user, row, { editsChain }),
  }
}

const toSwitches = ({ answersHelperJobs, showsProgress }: ListedToken) => ({
  answersHelperJobs,
  showsProgress,
})

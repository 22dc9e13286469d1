import {
  type ChainToken,
  type ListOwnTokensQuery,
  type ListQuery,
  type OwnToken,
  reachOf,
  type User,
} from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import { requireEditableChain } from '../chains/chains.ts'
import type { ListedKind } from './token-kinds.ts'
import { readUses } from './token-uses.ts'
import { type TokenOfKind, toTokens } from './token-views.ts'
import { countTokens, type ListedToken, listTokens, type TokensOf } from './tokens.sql.ts'

/** Each with up to a thousand chains or prompts. */
const WIDE_PAGE_MAX = 20
const CURSOR = defineCursor({ list: 'tokens', position: cursorPosition.id })

interface Listed {
  user: User
  query: ListQuery
}

/** Everyone's, newest first; throws unless the person may edit the chain. */
export async function listChainTokens(
  ctx: Context,
  { chainId, user, query }: Listed & { chainId: number },
): Promise<ListPage<ChainToken>> {
  await requireEditableChain(ctx, { id: chainId, user })
  return readPage(ctx, {
    of: { chainId },
    query,
    toItems: (rows) => toTokens(ctx, { kind: 'chain', rows, user, editsChain: true }),
  })
}

/** One's own of a kind, newest first. */
export function listOwnTokens<Kind extends ListedKind>(
  ctx: Context,
  { kind, user, query: { limit, cursor } }: Listed & { kind: Kind },
): Promise<ListPage<TokenOfKind[Kind]>> {
  return readPage(ctx, {
    of: { createdBy: user.id, kind },
    query: { limit: Math.min(limit, WIDE_PAGE_MAX), cursor },
    toItems: (rows) => toTokens(ctx, { kind, rows, user, editsChain: false }),
  })
}

/** One's own of every kind, newest first, each in brief. */
export function listAllOwnTokens(
  ctx: Context,
  { user, query }: { user: User; query: ListOwnTokensQuery },
): Promise<ListPage<OwnToken>> {
  return readPage(ctx, {
    of: { createdBy: user.id, kind: query.tokenType },
    query,
    toItems: (rows) => toOwnTokens(ctx, rows),
  })
}

interface WantedPage<Item> {
  of: TokensOf
  query: ListQuery
  toItems: (rows: ListedToken[]) => Promise<Item[]>
}

async function readPage<Item extends { id: number }>(
  { db }: Context,
  { of, query: { limit, cursor }, toItems }: WantedPage<Item>,
): Promise<ListPage<Item>> {
  const before = CURSOR.read(cursor)
  return toPage({
    rows: await toItems(await listTokens(db, { ...of, before, limit: limit + 1 })),
    limit,
    total: before ? undefined : { count: await countTokens(db, of) },
    toItem: (token) => token,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

async function toOwnTokens(ctx: Context, rows: ListedToken[]): Promise<OwnToken[]> {
  const tokenIds = rows.map(({ id }) => id)
  const metricsOf = await readUses(ctx, tokenIds)
  return rows.map((row) => {
    const { lastUsed, lastError, lastClient } = metricsOf(row.id)
    const { includesAllPrompts, promptIds, includesAllChains, chainIds } = reachOf(row.scopes)
    return {
      id: row.id,
      tokenType: row.kind,
      name: row.name,
      token: row.prefix,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      lastUsed,
      lastError,
      lastClient,
      canReveal: row.encryptedValue !== null,
      chainId: row.chainId,
      prompts: includesAllPrompts ? null : promptIds.length,
      chains: includesAllChains ? null : chainIds.length,
    }
  })
}

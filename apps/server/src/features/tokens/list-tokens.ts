import {
  type ChainToken,
  type ListOwnTokensQuery,
  type ListQuery,
  type OwnToken,
  reachOf,
  type TokenType,
  type User,
} from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../platform/list-page.ts'
import { requireEditableChain } from '../chains/chains.ts'
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
  { chainId, ...listed }: Listed & { chainId: number },
): Promise<ListPage<ChainToken>> {
  await requireEditableChain(ctx, { id: chainId, user: listed.user })
  return readPage(ctx, { ...listed, kind: 'chain', of: { chainId }, editsChain: true })
}

/** One's own of a kind, newest first. */
export function listOwnTokens<Kind extends Exclude<TokenType, 'chain'>>(
  ctx: Context,
  { kind, user, query: { limit, cursor } }: Listed & { kind: Kind },
): Promise<ListPage<TokenOfKind[Kind]>> {
  const query = { limit: Math.min(limit, WIDE_PAGE_MAX), cursor }
  return readPage(ctx, { kind, user, query, of: { createdBy: user.id, kind }, editsChain: false })
}

async function readPage<Kind extends TokenType>(
  ctx: Context,
  { of, query: { limit, cursor }, ...shown }: Listed & { kind: Kind; of: TokensOf; editsChain: boolean },
): Promise<ListPage<TokenOfKind[Kind]>> {
  const before = CURSOR.read(cursor)
  const rows = await listTokens(ctx.db, { ...of, before, limit: limit + 1 })
  return toPage({
    rows: await toTokens(ctx, { ...shown, rows }),
    limit,
    total: before ? undefined : { count: await countTokens(ctx.db, of) },
    toItem: (token) => token,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

/** One's own of every kind, newest first, each in brief. */
export async function listAllOwnTokens(
  ctx: Context,
  { user, query: { limit, cursor, tokenType } }: { user: User; query: ListOwnTokensQuery },
): Promise<ListPage<OwnToken>> {
  const before = CURSOR.read(cursor)
  const of = { createdBy: user.id, kind: tokenType }
  const rows = await listTokens(ctx.db, { ...of, before, limit: limit + 1 })
  const tokenIds = rows.map(({ id }) => id)
  const metricsOf = await readUses(ctx, tokenIds)
  return toPage({
    rows,
    limit,
    total: before ? undefined : { count: await countTokens(ctx.db, of) },
    toItem: (row): OwnToken => {
      const { lastUsed, lastError, lastClient } = metricsOf(row.id)
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
        ...countReached(row),
      }
    },
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

function countReached({ chainId, scopes }: ListedToken): Pick<OwnToken, 'chainId' | 'prompts' | 'chains'> {
  const { includesAllPrompts, promptIds, includesAllChains, chainIds } = reachOf(scopes)
  return {
    chainId,
    prompts: includesAllPrompts ? null : promptIds.length,
    chains: includesAllChains ? null : chainIds.length,
  }
}

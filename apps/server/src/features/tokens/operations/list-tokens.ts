import type { ChainToken, ListQuery, TokenType, User } from '@catenary/contracts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../../list-page.ts'
import { type TokenOfKind, toTokens } from '../token-views.ts'
import { countTokens, listTokens, type TokensOf } from '../tokens.repository.ts'
import type { TokensDeps } from '../tokens-deps.ts'

/** Each with up to a thousand chains or prompts. */
const WIDE_PAGE_MAX = 20
const CURSOR = defineCursor({ list: 'tokens', position: cursorPosition.id })

interface Listed {
  user: User
  query: ListQuery
}

/** Everyone's, newest first; throws unless the person may edit the chain. */
export async function listChainTokens(
  deps: TokensDeps,
  { chainId, ...listed }: Listed & { chainId: number },
): Promise<ListPage<ChainToken>> {
  await deps.chains.requireEditable(deps.db, { id: chainId, user: listed.user })
  return readPage(deps, { ...listed, kind: 'chain', of: { chainId }, editsChain: true })
}

/** One's own of a kind, newest first. */
export function listOwnTokens<Kind extends Exclude<TokenType, 'chain'>>(
  deps: TokensDeps,
  { kind, user, query: { limit, cursor } }: Listed & { kind: Kind },
): Promise<ListPage<TokenOfKind[Kind]>> {
  const query = { limit: Math.min(limit, WIDE_PAGE_MAX), cursor }
  return readPage(deps, { kind, user, query, of: { createdBy: user.id, kind }, editsChain: false })
}

async function readPage<Kind extends TokenType>(
  deps: TokensDeps,
  { of, query: { limit, cursor }, ...shown }: Listed & { kind: Kind; of: TokensOf; editsChain: boolean },
): Promise<ListPage<TokenOfKind[Kind]>> {
  const before = CURSOR.read(cursor)
  const rows = await listTokens(deps.db, { ...of, before, limit: limit + 1 })
  return toPage({
    rows: await toTokens(deps, { ...shown, rows }),
    limit,
    total: before ? undefined : { count: await countTokens(deps.db, of) },
    toItem: (token) => token,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

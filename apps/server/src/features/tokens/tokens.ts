import {
  bestTokensApi,
  fetchesApi,
  folderTokensApi,
  mcpTokensApi,
  readTokensApi,
  selectionsApi,
  tokensApi,
} from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { deleteToken, updateToken } from './change-token.ts'
import { createChainToken, createToken } from './create-token.ts'
import { listOwnFetches, writeFetches } from './keep-fetches.ts'
import { correctSelection, findSelection, listSelections } from './keep-selections.ts'
import { listAllOwnTokens, listChainTokens, listOwnTokens } from './list-tokens.ts'
import { createOwnToken, showOwnToken, updateOwnToken } from './own-tokens.ts'
import {
  agentChange,
  agentScopes,
  bestChange,
  bestScopes,
  folderChange,
  folderScopes,
  readChange,
  readScopes,
} from './token-kinds.ts'
import { writeUses } from './token-uses.ts'
import { revealToken, rotateToken } from './token-values.ts'

export { addFetch, deleteExpiredFetches, listFetchesOfPrompt } from './keep-fetches.ts'
export { recordSelection } from './keep-selections.ts'
export { findOwnReach } from './open-token.ts'
export { admitToken, bearerOf, type Grant, grantOf, openGrant } from './token-grants.ts'
export { countCall, countedCall, enterCall, failureOf, TokenLimitError } from './token-limits.ts'
export { addUse } from './token-uses.ts'
export { sealedTokenValues } from './tokens.sql.ts'

/** Tokens of chains, and what is done with those of every kind. */
const serveOfChains = handlers(tokensApi, {
  'GET /api/tokens': (ctx, { query: { chainId, ...query }, user }) =>
    listChainTokens(ctx, { chainId, user, query }),
  'POST /api/tokens': (ctx, { body, user }) => createChainToken(ctx, { fields: body, user }),
  'PATCH /api/tokens/{id}': (ctx, { params, body, user }) =>
    updateToken(ctx, { ...params, kind: 'chain', fields: body, user }),
  'DELETE /api/tokens/{id}': (ctx, { params, user }) => deleteToken(ctx, { ...params, user }),
  'GET /api/tokens/{id}/value': async (ctx, { params, user }) => ({
    token: await revealToken(ctx, { ...params, user }),
  }),
  'POST /api/tokens/{id}/rotate': (ctx, { params, body, user }) =>
    rotateToken(ctx, { ...params, user, overlapMinutes: body?.overlapMinutes ?? 0 }),
  'GET /api/own-tokens': listAllOwnTokens,
  'POST /api/own-tokens': (ctx, { body, user }) => createOwnToken(ctx, { fields: body, user }),
  'GET /api/own-tokens/{id}': (ctx, { params, user }) => showOwnToken(ctx, { ...params, user }),
  'PATCH /api/own-tokens/{id}': (ctx, { params, body, user }) =>
    updateOwnToken(ctx, { ...params, fields: body, user }),
  'DELETE /api/own-tokens/{id}': async (ctx, { params, user }) => {
    await showOwnToken(ctx, { ...params, user })
    await deleteToken(ctx, { ...params, user })
  },
})

const serveBest = handlers(bestTokensApi, {
  'GET /api/best-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'best', user, query }),
  'POST /api/best-tokens': (ctx, { body, user }) =>
    createToken(ctx, { kind: 'best', scopes: bestScopes(body), fields: body, user }),
  'PATCH /api/api-tokens/{id}': (ctx, { params, body, user }) =>
    updateToken(ctx, {
      ...params,
      kind: 'best',
      fields: body,
      change: (scopes) => bestChange(body, scopes),
      user,
    }),
  'DELETE /api/api-tokens/{id}': (ctx, { params, user }) =>
    deleteToken(ctx, { ...params, kind: 'best', user }),
})

const serveRead = handlers(readTokensApi, {
  'GET /api/read-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'read', user, query }),
  'POST /api/read-tokens': (ctx, { body, user }) =>
    createToken(ctx, { kind: 'read', scopes: readScopes(body), fields: body, user }),
  'PATCH /api/read-tokens/{id}': (ctx, { params, body, user }) =>
    updateToken(ctx, { ...params, kind: 'read', fields: body, change: readChange(body), user }),
  'DELETE /api/read-tokens/{id}': (ctx, { params, user }) =>
    deleteToken(ctx, { ...params, kind: 'read', user }),
})

const serveOfFolders = handlers(folderTokensApi, {
  'GET /api/folder-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'folder', user, query }),
  'POST /api/folder-tokens': (ctx, { body, user }) =>
    createToken(ctx, { kind: 'folder', scopes: folderScopes(body), fields: body, user }),
  'PATCH /api/folder-tokens/{id}': (ctx, { params, body, user }) =>
    updateToken(ctx, { ...params, kind: 'folder', fields: body, change: folderChange(body), user }),
  'DELETE /api/folder-tokens/{id}': (ctx, { params, user }) =>
    deleteToken(ctx, { ...params, kind: 'folder', user }),
})

const serveOfAgents = handlers(mcpTokensApi, {
  'GET /api/mcp-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'mcp', user, query }),
  'POST /api/mcp-tokens': (ctx, { body, user }) =>
    createToken(ctx, { kind: 'mcp', scopes: agentScopes(body), fields: body, user }),
  'PATCH /api/mcp-tokens/{id}': (ctx, { params, body, user }) =>
    updateToken(ctx, { ...params, kind: 'mcp', fields: body, change: agentChange(body), user }),
  'DELETE /api/mcp-tokens/{id}': (ctx, { params, user }) =>
    deleteToken(ctx, { ...params, kind: 'mcp', user }),
})

const serveFetches = handlers(fetchesApi, { 'GET /api/fetches': listOwnFetches })

/** What Best Chain chose, and what it should have been. */
const serveSelections = handlers(selectionsApi, {
  'GET /api/best-selections': listSelections,
  'GET /api/best-selections/{id}': (ctx, { params, user }) => findSelection(ctx, { ...params, user }),
  'POST /api/best-selections/{id}/correction': (ctx, { params, body, user }) =>
    correctSelection(ctx, { ...params, ...body, user }),
})

/** What programs show to call chains and fetch prompts. */
export const serveTokens: Routes[] = [
  serveOfChains,
  serveBest,
  serveRead,
  serveOfFolders,
  serveOfAgents,
  serveFetches,
  serveSelections,
]

/** Stores what was used last. */
export async function closeTokens(ctx: Context): Promise<void> {
  await writeUses(ctx)
  await writeFetches(ctx)
}

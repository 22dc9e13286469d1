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
import { listOwnFetches, writeFetches } from './keep-fetches.ts'
import { correctSelection, findSelection, listSelections } from './keep-selections.ts'
import {
  deleteToken,
  updateBestToken,
  updateChainToken,
  updateFolderToken,
  updateMcpToken,
  updateReadToken,
} from './operations/change-token.ts'
import {
  createBestToken,
  createChainToken,
  createFolderToken,
  createMcpToken,
  createReadToken,
} from './operations/create-token.ts'
import { listAllOwnTokens, listChainTokens, listOwnTokens } from './operations/list-tokens.ts'
import { revealToken, rotateToken } from './operations/token-values.ts'
import { writeUses } from './token-uses.ts'

export { addFetch, deleteExpiredFetches, listFetchesOfPrompt } from './keep-fetches.ts'
export { recordSelection } from './keep-selections.ts'
export { findOwnReach } from './operations/open-token.ts'
export { countGrant, enterGrant, type Grant, openGrant } from './token-grants.ts'
export { TokenLimitError } from './token-limits.ts'
export { addUse } from './token-uses.ts'
export { sealedTokenValues } from './tokens.sql.ts'

/** Tokens of chains, and what is done with those of every kind. */
const serveOfChains = handlers(tokensApi, {
  'GET /api/tokens': (ctx, { query: { chainId, ...query }, user }) =>
    listChainTokens(ctx, { chainId, user, query }),
  'POST /api/tokens': (ctx, { body, user }) => createChainToken(ctx, { fields: body, user }),
  'PATCH /api/tokens/{id}': (ctx, { params, body, user }) =>
    updateChainToken(ctx, { ...params, fields: body, user }),
  'DELETE /api/tokens/{id}': (ctx, { params, user }) => deleteToken(ctx, { ...params, user }),
  'GET /api/tokens/{id}/value': async (ctx, { params, user }) => ({
    token: await revealToken(ctx, { ...params, user }),
  }),
  'POST /api/tokens/{id}/rotate': (ctx, { params, body, user }) =>
    rotateToken(ctx, { ...params, user, overlapMinutes: body?.overlapMinutes ?? 0 }),
  'GET /api/own-tokens': listAllOwnTokens,
})

const serveBest = handlers(bestTokensApi, {
  'GET /api/best-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'best', user, query }),
  'POST /api/best-tokens': (ctx, { body, user }) => createBestToken(ctx, { fields: body, user }),
  'PATCH /api/api-tokens/{id}': (ctx, { params, body, user }) =>
    updateBestToken(ctx, { ...params, fields: body, user }),
  'DELETE /api/api-tokens/{id}': (ctx, { params, user }) =>
    deleteToken(ctx, { ...params, kind: 'best', user }),
})

const serveRead = handlers(readTokensApi, {
  'GET /api/read-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'read', user, query }),
  'POST /api/read-tokens': (ctx, { body, user }) => createReadToken(ctx, { fields: body, user }),
  'PATCH /api/read-tokens/{id}': (ctx, { params, body, user }) =>
    updateReadToken(ctx, { ...params, fields: body, user }),
  'DELETE /api/read-tokens/{id}': (ctx, { params, user }) =>
    deleteToken(ctx, { ...params, kind: 'read', user }),
})

const serveOfFolders = handlers(folderTokensApi, {
  'GET /api/folder-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'folder', user, query }),
  'POST /api/folder-tokens': (ctx, { body, user }) => createFolderToken(ctx, { fields: body, user }),
  'PATCH /api/folder-tokens/{id}': (ctx, { params, body, user }) =>
    updateFolderToken(ctx, { ...params, fields: body, user }),
  'DELETE /api/folder-tokens/{id}': (ctx, { params, user }) =>
    deleteToken(ctx, { ...params, kind: 'folder', user }),
})

const serveOfAgents = handlers(mcpTokensApi, {
  'GET /api/mcp-tokens': (ctx, { query, user }) => listOwnTokens(ctx, { kind: 'mcp', user, query }),
  'POST /api/mcp-tokens': (ctx, { body, user }) => createMcpToken(ctx, { fields: body, user }),
  'PATCH /api/mcp-tokens/{id}': (ctx, { params, body, user }) =>
    updateMcpToken(ctx, { ...params, fields: body, user }),
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

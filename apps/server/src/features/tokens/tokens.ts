import {
  bestTokensApi,
  fetchesApi,
  folderTokensApi,
  hookDeliveriesApi,
  type ListQuery,
  mcpTokensApi,
  readTokensApi,
  selectionsApi,
  tokensApi,
  type User,
} from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { deleteOwnToken, deleteToken, updateOwnToken, updateToken } from './change-token.ts'
import { createOwnToken, createToken } from './create-token.ts'
import { listOwnDeliveries } from './hook-deliveries.ts'
import { listOwnFetches, writeFetches } from './keep-fetches.ts'
import { correctSelection, findSelection, listSelections } from './keep-selections.ts'
import { listAllOwnTokens, listChainTokens, listOwnTokens } from './list-tokens.ts'
import { type ChangedOf, type CreatedOf, KINDS, type KindScopes, type ListedKind } from './token-kinds.ts'
import { writeUses } from './token-uses.ts'
import { revealToken, rotateToken } from './token-values.ts'
import { showToken } from './token-views.ts'

export {
  findRepeated,
  keepDelivery,
  keepRefused,
  RepeatedDeliveryError,
} from './hook-deliveries.ts'
export { addFetch, deleteExpiredFetches, listFetchesOfPrompt } from './keep-fetches.ts'
export { recordSelection } from './keep-selections.ts'
export { findOwnReach } from './open-token.ts'
export { admitToken, bearerOf, type Grant, grantOf, openGrant, shownGrant } from './token-grants.ts'
export { countCall, countedCall, enterCall, failureOf, TokenLimitError } from './token-limits.ts'
export { addUse } from './token-uses.ts'
export { secretContextOf } from './token-value.ts'
export { sealedHookSecrets, sealedTokenValues } from './tokens.sql.ts'

const serveOfAll = handlers(tokensApi, {
  'GET /api/tokens': (ctx, { query: { chainId, ...query }, user }) =>
    listChainTokens(ctx, { chainId, user, query }),
  'POST /api/tokens': (ctx, { body: { chainId, ...fields }, user }) =>
    createToken(ctx, { kind: 'chain', scopes: [`chain:${chainId}`, 'run'], fields, user }),
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
  'GET /api/own-tokens/{id}': (ctx, { params, user }) => showToken(ctx, { ...params, user, kind: 'scoped' }),
  'PATCH /api/own-tokens/{id}': (ctx, { params, body, user }) =>
    updateOwnToken(ctx, { ...params, fields: body, user }),
  'DELETE /api/own-tokens/{id}': (ctx, { params, user }) => deleteOwnToken(ctx, { ...params, user }),
})

const serveDeliveries = handlers(hookDeliveriesApi, {
  'GET /api/own-tokens/{id}/deliveries': (ctx, { params, query, user }) =>
    listOwnDeliveries(ctx, { ...params, query, user }),
})

interface Named {
  params: { id: number }
  user: User
}

function viewOf<Kind extends ListedKind>(kind: Kind) {
  const { scopesOf, changeOf }: KindScopes<Kind> = KINDS[kind]
  return {
    list: (ctx: Context, { query, user }: { query: ListQuery; user: User }) =>
      listOwnTokens(ctx, { kind, query, user }),
    create: (ctx: Context, { body, user }: { body: CreatedOf<Kind>; user: User }) =>
      createToken(ctx, { kind, scopes: scopesOf(body), fields: body, user }),
    change: (ctx: Context, { params, body, user }: Named & { body: ChangedOf<Kind> }) =>
      updateToken(ctx, {
        ...params,
        kind,
        fields: body,
        changeOf: ({ scopes }) => changeOf(body, scopes),
        user,
      }),
    end: (ctx: Context, { params, user }: Named) => deleteToken(ctx, { ...params, kind, user }),
  }
}

const best = viewOf('best')
const serveBest = handlers(bestTokensApi, {
  'GET /api/best-tokens': best.list,
  'POST /api/best-tokens': best.create,
  'PATCH /api/api-tokens/{id}': best.change,
  'DELETE /api/api-tokens/{id}': best.end,
})

const read = viewOf('read')
const serveRead = handlers(readTokensApi, {
  'GET /api/read-tokens': read.list,
  'POST /api/read-tokens': read.create,
  'PATCH /api/read-tokens/{id}': read.change,
  'DELETE /api/read-tokens/{id}': read.end,
})

const ofFolders = viewOf('folder')
const serveOfFolders = handlers(folderTokensApi, {
  'GET /api/folder-tokens': ofFolders.list,
  'POST /api/folder-tokens': ofFolders.create,
  'PATCH /api/folder-tokens/{id}': ofFolders.change,
  'DELETE /api/folder-tokens/{id}': ofFolders.end,
})

const ofAgents = viewOf('mcp')
const serveOfAgents = handlers(mcpTokensApi, {
  'GET /api/mcp-tokens': ofAgents.list,
  'POST /api/mcp-tokens': ofAgents.create,
  'PATCH /api/mcp-tokens/{id}': ofAgents.change,
  'DELETE /api/mcp-tokens/{id}': ofAgents.end,
})

const serveFetches = handlers(fetchesApi, { 'GET /api/fetches': listOwnFetches })

const serveSelections = handlers(selectionsApi, {
  'GET /api/best-selections': listSelections,
  'GET /api/best-selections/{id}': (ctx, { params, user }) => findSelection(ctx, { ...params, user }),
  'POST /api/best-selections/{id}/correction': (ctx, { params, body, user }) =>
    correctSelection(ctx, { ...params, ...body, user }),
})

export const serveTokens: Routes[] = [
  serveOfAll,
  serveDeliveries,
  serveBest,
  serveRead,
  serveOfFolders,
  serveOfAgents,
  serveFetches,
  serveSelections,
]

export async function closeTokens(ctx: Context): Promise<void> {
  await writeUses(ctx)
  await writeFetches(ctx)
}

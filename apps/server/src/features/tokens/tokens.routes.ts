import { bestTokensApi, tokensApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { deleteToken, updateBestToken, updateChainToken } from './operations/change-token.ts'
import { createBestToken, createChainToken } from './operations/create-token.ts'
import { listAllOwnTokens, listChainTokens, listOwnTokens } from './operations/list-tokens.ts'
import { revealToken, rotateToken } from './operations/token-values.ts'
import type { TokensDeps } from './tokens-deps.ts'

/** Tokens of chains, and what is done with those of every kind. */
export const tokensRoutes = (deps: TokensDeps): Routes =>
  handlers(tokensApi, {
    'GET /api/tokens': (_, { query: { chainId, ...query }, user }) =>
      listChainTokens(deps, { chainId, user, query }),
    'POST /api/tokens': (_, { body, user }) => createChainToken(deps, { fields: body, user }),
    'PATCH /api/tokens/{id}': (_, { params, body, user }) =>
      updateChainToken(deps, { ...params, fields: body, user }),
    'DELETE /api/tokens/{id}': (_, { params, user }) => deleteToken(deps, { ...params, user }),
    'GET /api/tokens/{id}/value': async (_, { params, user }) => ({
      token: await revealToken(deps, { ...params, user }),
    }),
    'POST /api/tokens/{id}/rotate': (_, { params, body, user }) =>
      rotateToken(deps, { ...params, user, overlapMinutes: body?.overlapMinutes ?? 0 }),
    'GET /api/own-tokens': (_, { query, user }) => listAllOwnTokens(deps, { user, query }),
  })

export const bestTokensRoutes = (deps: TokensDeps): Routes =>
  handlers(bestTokensApi, {
    'GET /api/best-tokens': (_, { query, user }) => listOwnTokens(deps, { kind: 'best', user, query }),
    'POST /api/best-tokens': (_, { body, user }) => createBestToken(deps, { fields: body, user }),
    'PATCH /api/api-tokens/{id}': (_, { params, body, user }) =>
      updateBestToken(deps, { ...params, fields: body, user }),
    'DELETE /api/api-tokens/{id}': (_, { params, user }) =>
      deleteToken(deps, { ...params, kind: 'best', user }),
  })

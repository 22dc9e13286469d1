import { readTokensApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { deleteToken, updateReadToken } from './operations/change-token.ts'
import { createReadToken } from './operations/create-token.ts'
import { listOwnTokens } from './operations/list-tokens.ts'
import type { TokensDeps } from './tokens-deps.ts'

export const readTokensRoutes = (deps: TokensDeps): Routes =>
  handlers(readTokensApi, {
    'GET /api/read-tokens': (_, { query, user }) => listOwnTokens(deps, { kind: 'read', user, query }),
    'POST /api/read-tokens': (_, { body, user }) => createReadToken(deps, { fields: body, user }),
    'PATCH /api/read-tokens/{id}': (_, { params, body, user }) =>
      updateReadToken(deps, { ...params, fields: body, user }),
    'DELETE /api/read-tokens/{id}': (_, { params, user }) =>
      deleteToken(deps, { ...params, kind: 'read', user }),
  })

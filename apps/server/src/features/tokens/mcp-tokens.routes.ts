import { mcpTokensApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { deleteToken, updateMcpToken } from './operations/change-token.ts'
import { createMcpToken } from './operations/create-token.ts'
import { listOwnTokens } from './operations/list-tokens.ts'
import type { TokensDeps } from './tokens-deps.ts'

export const mcpTokensRoutes = (deps: TokensDeps): Routes =>
  handlers(mcpTokensApi, {
    'GET /api/mcp-tokens': (_, { query, user }) => listOwnTokens(deps, { kind: 'mcp', user, query }),
    'POST /api/mcp-tokens': (_, { body, user }) => createMcpToken(deps, { fields: body, user }),
    'PATCH /api/mcp-tokens/{id}': (_, { params, body, user }) =>
      updateMcpToken(deps, { ...params, fields: body, user }),
    'DELETE /api/mcp-tokens/{id}': (_, { params, user }) =>
      deleteToken(deps, { ...params, kind: 'mcp', user }),
  })

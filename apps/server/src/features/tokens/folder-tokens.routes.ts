import { folderTokensApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { deleteToken } from './operations/change-token.ts'
import { createFolderToken, updateFolderToken } from './operations/folder-token.ts'
import { listOwnTokens } from './operations/list-tokens.ts'
import type { TokensDeps } from './tokens-deps.ts'

export const folderTokensRoutes = (deps: TokensDeps): Routes =>
  handlers(folderTokensApi, {
    'GET /api/folder-tokens': (_, { query, user }) => listOwnTokens(deps, { kind: 'folder', user, query }),
    'POST /api/folder-tokens': (_, { body, user }) => createFolderToken(deps, { fields: body, user }),
    'PATCH /api/folder-tokens/{id}': (_, { params, body, user }) =>
      updateFolderToken(deps, { ...params, fields: body, user }),
    'DELETE /api/folder-tokens/{id}': (_, { params, user }) =>
      deleteToken(deps, { ...params, kind: 'folder', user }),
  })

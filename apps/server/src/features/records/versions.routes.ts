import { chainVersionsApi, promptVersionsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import {
  deleteVersion,
  findVersion,
  listVersions,
  restoreVersion,
  saveVersionNote,
} from './operations/versions.ts'
import type { RecordsDeps } from './records-deps.ts'

export const promptVersionsRoutes = (deps: RecordsDeps): Routes =>
  handlers(promptVersionsApi, {
    'GET /api/prompts/{id}/versions': (_, { params, query, user }) =>
      listVersions(deps, { kind: 'prompt', ...params, user, query }),
    'GET /api/prompts/{id}/versions/{number}': (_, { params, user }) =>
      findVersion(deps, { kind: 'prompt', ...params, user }),
    'POST /api/prompts/{id}/versions/{number}/restore': (_, { params, body, user }) =>
      restoreVersion(deps, { kind: 'prompt', ...params, user, revision: body?.revision }),
    'DELETE /api/prompts/{id}/versions/{number}': (_, { params, user }) =>
      deleteVersion(deps, { kind: 'prompt', ...params, user }),
    'PATCH /api/prompts/{id}/versions/{number}': (_, { params, body, user }) =>
      saveVersionNote(deps, { kind: 'prompt', ...params, ...body, user }),
  })

export const chainVersionsRoutes = (deps: RecordsDeps): Routes =>
  handlers(chainVersionsApi, {
    'GET /api/chains/{id}/versions': (_, { params, query, user }) =>
      listVersions(deps, { kind: 'chain', ...params, user, query }),
    'GET /api/chains/{id}/versions/{number}': (_, { params, user }) =>
      findVersion(deps, { kind: 'chain', ...params, user }),
    'POST /api/chains/{id}/versions/{number}/restore': (_, { params, body, user }) =>
      restoreVersion(deps, { kind: 'chain', ...params, user, revision: body?.revision }),
    'DELETE /api/chains/{id}/versions/{number}': (_, { params, user }) =>
      deleteVersion(deps, { kind: 'chain', ...params, user }),
    'PATCH /api/chains/{id}/versions/{number}': (_, { params, body, user }) =>
      saveVersionNote(deps, { kind: 'chain', ...params, ...body, user }),
  })

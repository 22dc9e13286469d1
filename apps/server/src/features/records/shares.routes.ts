import { chainSharesApi, promptSharesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { listShares, saveShares } from './operations/share-record.ts'
import type { RecordsDeps } from './records-deps.ts'

export const promptSharesRoutes = (deps: RecordsDeps): Routes =>
  handlers(promptSharesApi, {
    'GET /api/prompts/{id}/shares': (_, { params, user }) =>
      listShares(deps, { kind: 'prompt', ...params, user }),
    'PUT /api/prompts/{id}/shares': (_, { params, body, user }) =>
      saveShares(deps, { kind: 'prompt', ...params, user, shares: body }),
  })

export const chainSharesRoutes = (deps: RecordsDeps): Routes =>
  handlers(chainSharesApi, {
    'GET /api/chains/{id}/shares': (_, { params, user }) =>
      listShares(deps, { kind: 'chain', ...params, user }),
    'PUT /api/chains/{id}/shares': (_, { params, body, user }) =>
      saveShares(deps, { kind: 'chain', ...params, user, shares: body }),
  })

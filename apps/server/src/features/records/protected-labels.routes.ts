import { protectedLabelsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { listProtections, protectLabel, unprotectLabel } from './operations/protect-label.ts'
import type { RecordsDeps } from './records-deps.ts'

export const protectedLabelsRoutes = (deps: RecordsDeps): Routes =>
  handlers(protectedLabelsApi, {
    'GET /api/admin/protected-labels': () => listProtections(deps),
    'PUT /api/admin/protected-labels/{label}': (_, { params, body, user }) =>
      protectLabel(deps, { ...params, rule: body, user }),
    'DELETE /api/admin/protected-labels/{label}': (_, { params, user }) =>
      unprotectLabel(deps, { ...params, user }),
  })

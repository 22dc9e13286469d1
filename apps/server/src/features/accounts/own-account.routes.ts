import { ownAccountApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import {
  changePassword,
  changeSettings,
  endOtherSessions,
  endSession,
  findSettings,
  listOwnSessions,
  type OwnAccountDeps,
} from './operations/change-own-account.ts'

export const ownAccountRoutes = (deps: OwnAccountDeps): Routes =>
  handlers(ownAccountApi, {
    'GET /api/account': (_, { user }) => findSettings(deps, user),
    'PATCH /api/account': (_, { body, user }) => changeSettings(deps, { ...body, user }),
    'POST /api/account/password': (_, { body, user, client }) =>
      changePassword(deps, { ...body, user, client }),
    'GET /api/account/sessions': (_, { query, user, client: { headers } }) =>
      listOwnSessions(deps, { user, headers, query }),
    'DELETE /api/account/sessions': (_, { user, client: { headers } }) =>
      endOtherSessions(deps, { user, headers }),
    'DELETE /api/account/sessions/{id}': (_, { params, user }) => endSession(deps, { ...params, user }),
  })

import { userManagementApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { UserManagementService } from './user-management.service.ts'

/** All accounts, for admins. */
export const userManagementRoutes = ({ users }: { users: UserManagementService }): Routes =>
  handlers(userManagementApi, {
    'GET /api/admin/users': (_, { query }) => users.list(query),
    'PATCH /api/admin/users/{id}': (_, { params, body, user }) =>
      users.update({ ...body, ...params, actor: user }),
  })

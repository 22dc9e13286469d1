import { idParams, listQuery, managedUser, updateUserRequest } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { UserManagementService } from './user-management.service.ts'

const tags = ['admin']

/** All accounts, for admins. */
export function userManagementRoutes({ users }: { users: UserManagementService }): Routes {
  return (app) => {
    defineListRoute(app, '/api/admin/users', {
      tags,
      summary: 'All accounts, oldest first',
      querystring: listQuery,
      item: managedUser,
      errors: errorReplies(401, 403),
      isAdminOnly: true,
      read: ({ query }) => users.list(query),
    })

    app.patch(
      '/api/admin/users/:id',
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Set a role, disable or enable an account',
          description:
            'Disabling ends all sessions of the account at once. 409 for the last active admin, and for disabling oneself.',
          params: idParams,
          body: updateUserRequest,
          response: { 200: managedUser, ...errorReplies(409) },
        },
      },
      async (request) =>
        users.update({ ...request.body, id: request.params.id, actor: await requireAdmin(request) }),
    )
  }
}

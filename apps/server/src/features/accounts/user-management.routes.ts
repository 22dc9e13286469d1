import { idParams, listQuery, managedUser, updateUserRequest } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { UserManagementService } from './user-management.service.ts'

const tags = ['admin']
const userList = defineListReply(managedUser)

/** All accounts, for admins. */
export function userManagementRoutes({ users }: { users: UserManagementService }): Routes {
  return (app) => {
    app.get(
      '/api/admin/users',
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'All accounts, oldest first',
          querystring: listQuery,
          response: { 200: userList.schema, ...errorReplies(401, 403) },
        },
      },
      async (request, reply) => userList.send(reply, await users.list(request.query)),
    )

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

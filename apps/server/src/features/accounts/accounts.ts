import { accountsApi, ownAccountApi, userDirectoryApi, userManagementApi } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { HttpReply } from '../../platform/http/routes.ts'
import { listUsers, nameAdministrators, searchPeople, updateUser } from './manage-people.ts'
import {
  changePassword,
  changeSettings,
  endOtherSessions,
  endSession,
  findSettings,
  listOwnSessions,
} from './own-account.ts'
import { currentUser, register, signIn, signOut } from './sign-in.ts'

export { listActiveAdmins, listByUsernames, onDisabled } from './manage-people.ts'
export { createAdmin, resetPassword } from './operator.ts'
export { deleteExpiredSessions, ensureAdmin, findUser, readSessionToken, registrationNow } from './sign-in.ts'

export const serveAccounts = handlers(accountsApi, {
  'GET /api/user': async (ctx, { client, reply }) => {
    const { user, cookies } = await currentUser(ctx, client.headers)
    setCookies(reply, cookies)
    if (user === null) throw new AppError('unauthenticated', 'Please log in')
    return user
  },
  'POST /api/login': async (ctx, { body, client, reply }) => {
    const { user, cookies } = await signIn(ctx, { ...body, client })
    setCookies(reply, cookies)
    return user
  },
  'POST /api/register': async (ctx, { body, client, reply }) => {
    const { user, cookies } = await register(ctx, { ...body, client })
    setCookies(reply, cookies)
    return user
  },
  'POST /api/logout': async (ctx, { client, reply }) => setCookies(reply, await signOut(ctx, client.headers)),
})

function setCookies(reply: HttpReply, cookies: string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}

export const serveOwnAccount = handlers(ownAccountApi, {
  'GET /api/account': findSettings,
  'PATCH /api/account': changeSettings,
  'POST /api/account/password': changePassword,
  'GET /api/account/sessions': listOwnSessions,
  'DELETE /api/account/sessions': endOtherSessions,
  'DELETE /api/account/sessions/{id}': (ctx, { params, user }) => endSession(ctx, { ...params, user }),
})

export const serveUserManagement = handlers(userManagementApi, {
  'GET /api/admin/users': listUsers,
  'PATCH /api/admin/users/{id}': (ctx, { params, body, user }) =>
    updateUser(ctx, { ...body, ...params, user }),
})

export const serveUserDirectory = handlers(userDirectoryApi, {
  'GET /api/users/search': searchPeople,
  'GET /api/users/administrators': nameAdministrators,
})

import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import { createAuth } from './accounts.auth.ts'
import { accountsRoutes } from './accounts.routes.ts'
import { createAccountsService } from './accounts.service.ts'
import { ownAccountRoutes } from './own-account.routes.ts'
import { userDirectoryRoutes } from './user-directory.routes.ts'
import { createUserDirectory } from './user-directory.service.ts'
import { userManagementRoutes } from './user-management.routes.ts'
import { createUserManagementService, listActiveAdmins } from './user-management.service.ts'

export { createAdmin, resetPassword } from './operator.service.ts'
export type AccountsService = Awaited<ReturnType<typeof createAccounts>>['service']

/** Who people are, and who may sign in. */
export async function createAccounts(ctx: Context<Database>) {
  const { db, log, now, rowChanges, settings } = ctx
  const { admin, publicUrl, registration } = settings
  const auth = createAuth({ db, log, keys: settings, publicUrl })
  const accounts = createAccountsService({ db, auth, now, rowChanges, ctx, registration })
  if (admin !== undefined) await accounts.ensureAdmin(admin)
  const directory = createUserDirectory({ db })
  const disabledListeners: ((userId: number) => Promise<void>)[] = []
  const onDisabled = async (userId: number) => {
    await Promise.all(disabledListeners.map((listener) => listener(userId)))
  }
  const { deleteExpiredSessions, findUser, hasSession, registrationNow } = accounts
  return {
    service: {
      deleteExpiredSessions,
      findUser,
      hasSession,
      registrationNow,
      readSessionToken: auth.readSessionToken,
      listActiveAdmins: () => listActiveAdmins(db),
      listByUsernames: directory.listByUsernames,
      /** Called once an account is disabled: ends everything that runs as that person. */
      onDisabled: (listener: (userId: number) => Promise<void>) => void disabledListeners.push(listener),
    },
    routes: [
      accountsRoutes({ accounts }),
      ownAccountRoutes({ db, auth, now }),
      userManagementRoutes({ users: createUserManagementService({ ctx, db, onDisabled }) }),
      userDirectoryRoutes({ directory }),
    ],
  }
}

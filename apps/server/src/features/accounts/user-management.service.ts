import type { AddressState, ListQuery, ManagedUser, UpdateUserRequest, User } from '@catenary/contracts'
import type { Database, Executor } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, toPage } from '../../list-page.ts'
import type { Context } from '../../platform/context.ts'
import { describeAddresses as describeMailAddresses } from '../mails/mails.ts'
import { isActiveAdmin, isDisabled, toRole } from './accounts.policy.ts'
import { createAccountEvent, lockAccounts } from './accounts.repository.ts'
import { deleteSessionsOf } from './own-account.repository.ts'
import {
  countUsers,
  findOptionalUser,
  listAdmins,
  listUsers,
  updateUser,
} from './user-management.repository.ts'

const CURSOR = defineCursor({ list: 'accounts', position: cursorPosition.id })

export interface UserManagementDeps {
  db: Database
  ctx: Context
  /** Called once an account is disabled: ends everything that runs as that person. */
  onDisabled: (userId: number) => Promise<void>
}

export type UserManagementService = ReturnType<typeof createUserManagementService>

/** What admins do to accounts (D12); the caller has made sure that an admin asks. */
export function createUserManagementService({ ctx, db, onDisabled }: UserManagementDeps) {
  async function findUser(executor: Executor, id: number): Promise<ManagedUser> {
    const row = await findOptionalUser(executor, id)
    if (row === undefined) throw new AppError('not_found', 'This account does not exist')
    return toManagedUser(row, await describeAddresses(executor, [row]))
  }

  const describeAddresses = (executor: Executor, rows: UserRow[]) =>
    describeMailAddresses(
      { ...ctx, db: executor },
      rows.map(({ id, email, role }) => ({ id, email, role: toRole(role) })),
    )

  return {
    /** All accounts, oldest first. Throws `invalid` for a foreign cursor. */
    async list({ limit, cursor }: ListQuery): Promise<ListPage<ManagedUser>> {
      const after = CURSOR.read(cursor)
      const rows = await listUsers(db, { after, limit: limit + 1 })
      const addresses = await describeAddresses(db, rows)
      return toPage({
        rows,
        limit,
        total: after ? undefined : { count: await countUsers(db) },
        toItem: (row) => toManagedUser(row, addresses),
        cursorOf: ({ id }) => CURSOR.write(id),
      })
    },

    /**
     * Throws `conflict` when no active admin would be left, or when admins would disable themselves,
     * and `forbidden` when the actor lost the role meanwhile.
     */
    async update({ actor, id, role, disabled }: UpdateUserRequest & { actor: User; id: number }) {
      const updated = await db.transaction(async (transaction) => {
        await lockAccounts(transaction)
        const isActor = (admin: { id: number }) => admin.id === actor.id
        if (!(await listActiveAdmins(transaction)).some(isActor)) {
          throw new AppError('forbidden', 'Only an administrator may do this')
        }
        const before = await findUser(transaction, id)
        if (disabled === true && id === actor.id) {
          throw new AppError('conflict', 'You can’t disable your own account')
        }
        await updateUser(transaction, { id, role, disabled })
        if ((await listActiveAdmins(transaction)).length === 0) {
          throw new AppError('conflict', 'The last active admin can’t be demoted or disabled')
        }
        if (disabled === true) await deleteSessionsOf(transaction, { userId: id })
        const after = await findUser(transaction, id)
        for (const event of changesOf({ before, after })) {
          await createAccountEvent(transaction, { actorId: actor.id, userId: id, ...event })
        }
        return after
      })
      if (disabled === true) await onDisabled(id)
      return updated
    },
  }
}

/** Those who can administer the instance now. */
export async function listActiveAdmins(executor: Executor): Promise<User[]> {
  const admins = (await listAdmins(executor)).filter(isActiveAdmin)
  return admins.map(({ id, username, email, role }) => ({ id, username, email, role: toRole(role) }))
}

function changesOf({ before, after }: { before: ManagedUser; after: ManagedUser }) {
  const events: { action: string; details?: object }[] = []
  if (before.role !== after.role) {
    events.push({ action: 'account.role_changed', details: { from: before.role, to: after.role } })
  }
  if (before.disabled !== after.disabled) {
    events.push({ action: after.disabled ? 'account.disabled' : 'account.enabled' })
  }
  return events
}

type UserRow = Awaited<ReturnType<typeof listUsers>>[number]

function toManagedUser(row: UserRow, addresses: Map<number, AddressState | null>): ManagedUser {
  const { id, username, email, role, usage, createdAt, lastSeenAt } = row
  return {
    id,
    username,
    email,
    addressState: addresses.get(id) ?? null,
    role: toRole(role),
    disabled: isDisabled(row),
    usage,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }
}

import type { SharedLevel, ShareRole, User } from '@catenary/contracts'

interface Owned {
  ownerId: number
}

/** Whom a record is open to: a prompt says so by a switch, a chain by a level. */
export type RecordSubject = Owned & {
  shareRole: ShareRole | null
} & ({ isPublic: boolean } | { sharedLevel: SharedLevel })

function isOpenToAll(record: RecordSubject): boolean {
  return 'isPublic' in record ? record.isPublic : record.sharedLevel === 'public'
}

interface Given {
  userId: number | null
  groupId: number | null
  role: ShareRole
}

/** What a record's shares make of somebody who doesn't own it: the highest of their own role and those of their groups. */
export function roleFor(
  shares: readonly Given[],
  { id, groupIds }: { id: number | undefined; groupIds: readonly number[] },
): ShareRole | null {
  const isTheirs = ({ userId, groupId }: Given) =>
    groupId === null ? userId === id : groupIds.includes(groupId)
  const roles = shares.filter(isTheirs).map(({ role }) => role)
  return roles.includes('editor') ? 'editor' : (roles[0] ?? null)
}

/** The role that counts: in a chain only while it is shared with named people, in a prompt always. */
export function roleIn(record: RecordSubject): ShareRole | null {
  return 'sharedLevel' in record && record.sharedLevel !== 'shared' ? null : record.shareRole
}

/** Own, public, and shared with them; an admin's rights do not open other people's records (D14). */
export function canViewRecord(user: User | null, record: RecordSubject): boolean {
  if (isOpenToAll(record) || record.ownerId === user?.id) return true
  return user !== null && roleIn(record) !== null
}

export function canExecuteRecord(user: User | null, record: RecordSubject): boolean {
  return user !== null && canViewRecord(user, record)
}

/** Owner, editors, and admins what they can see (D14, D33). */
export function canEditRecord(user: User | null, record: RecordSubject): boolean {
  if (user === null || !canViewRecord(user, record)) return false
  return record.ownerId === user.id || user.role === 'admin' || roleIn(record) === 'editor'
}

/** Only the owner decides whom it is shared with. */
export function canShareRecord(user: User | null, record: Owned): boolean {
  return record.ownerId === user?.id
}

/** Only the owner: a name that is taken would tell of the owner's other records. */
export function canNameRecord(user: User, record: Owned): boolean {
  return record.ownerId === user.id
}

import { EVERYONE_ID, type GroupMakers, type User } from '@catenary/contracts'

export interface GroupSubject {
  id: number
  isMember: boolean
  isLeader: boolean
}

export const isBuiltIn = ({ id }: { id: number }): boolean => id === EVERYONE_ID

/** Its members, and admins. To others it is not there. */
export function canSeeGroup(user: User, group: GroupSubject): boolean {
  return isBuiltIn(group) || group.isMember || user.role === 'admin'
}

/** Its leaders, and admins; so admins alone once it has lost all who led it. Nobody changes everyone's. */
export function canEditGroup(user: User, group: GroupSubject): boolean {
  return !isBuiltIn(group) && (group.isLeader || user.role === 'admin')
}

export function canMakeGroups(user: User, madeBy: GroupMakers): boolean {
  return madeBy === 'everyone' || user.role === 'admin'
}

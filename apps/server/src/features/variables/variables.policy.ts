import type { User } from '@catenary/contracts'

interface Subject {
  ownerId: number
  isPublic: boolean
}

/** Own and public ones; an admin's rights do not open other people's private variables. */
export function canSeeVariable(user: User | null, variable: Subject): boolean {
  return variable.isPublic || variable.ownerId === user?.id
}

/** Its owner, and admins what they can see. */
export function canChangeVariable(user: User | null, variable: Subject): boolean {
  return (
    user !== null && canSeeVariable(user, variable) && (variable.ownerId === user.id || user.role === 'admin')
  )
}

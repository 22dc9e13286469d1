import type { User } from '@catenary/contracts'

/** Whose executions the person may see and delete: their own; an admin everyone's (D20). */
export function visibleExecutionsOf(user: User): number | undefined {
  return user.role === 'admin' ? undefined : user.id
}

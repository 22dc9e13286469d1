import type { User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'

/** Each person sees their own metrics; an admin those of all runs, without their texts (D42). */
export function requireScope(user: User, scope: 'mine' | 'everyone'): void {
  if (scope === 'everyone' && user.role !== 'admin')
    throw new AppError('forbidden', 'Only administrators can see everyone’s usage')
}

/** Whose runs of a prompt or chain the person sees metrics of: their own; an admin everyone's. */
export function visibleRunsOf(user: User): number | undefined {
  return user.role === 'admin' ? undefined : user.id
}

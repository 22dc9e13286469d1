import type { User } from '@catenary/contracts'

/** Where it posts to, and what it tells, is its owner's alone: administrators neither see nor change it. */
export function canManageWebhook(user: Pick<User, 'id'>, webhook: { userId: number }): boolean {
  return webhook.userId === user.id
}

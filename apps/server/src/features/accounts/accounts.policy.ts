import type { Role } from '@catenary/contracts'

/** How better-auth names an account that signs in by password. */
export const PASSWORD_PROVIDER = 'credential'

export interface Disablement {
  banned?: boolean | null | undefined
  /** Until when; null for good. */
  banExpires?: Date | null | undefined
}

/** Whether the account may not be used now. */
export function isDisabled({ banned, banExpires }: Disablement): boolean {
  return banned === true && (banExpires == null || banExpires > new Date())
}

/** Anything but the one known privilege is an ordinary account. */
export function toRole(stored: string | null | undefined): Role {
  return stored === 'admin' ? 'admin' : 'user'
}

/** Whether this account can administer the instance now. */
export function isActiveAdmin(account: Disablement & { role: string }): boolean {
  return toRole(account.role) === 'admin' && !isDisabled(account)
}

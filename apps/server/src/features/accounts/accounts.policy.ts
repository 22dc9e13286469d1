import type { Role } from '@catenary/contracts'

export const PASSWORD_PROVIDER = 'credential'

export interface Disablement {
  banned?: boolean | null | undefined
  banExpires?: Date | null | undefined
}

export function isDisabled({ banned, banExpires }: Disablement): boolean {
  return banned === true && (banExpires == null || banExpires > new Date())
}

/** Anything but the one known privilege is an ordinary account. */
export function toRole(stored: string | null | undefined): Role {
  return stored === 'admin' ? 'admin' : 'user'
}

export function isActiveAdmin(account: Disablement & { role: string }): boolean {
  return toRole(account.role) === 'admin' && !isDisabled(account)
}

import type { MailState } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const timeAgo = ({ now }: Context, ms: number): Date => new Date(now().getTime() - ms)

interface Asking {
  recipients: MailState['recipients']
  domains: string[]
  isAdmin: boolean
  address: string
}

/** Whether an address, be it the account's own, must first say yes before an account's schedules may write to it (D58, D61). */
export function needsConsent({ recipients, domains, isAdmin, address }: Asking): boolean {
  if (recipients === 'any' || isAdmin) return false
  return !domains.includes(address.slice(address.lastIndexOf('@') + 1))
}

/** Where mail to an address in lower case arrives, as many servers have it: `a+b@example.org` reaches `a`. */
export function mailboxOf(address: string): string {
  return address.replace(/\+[^@]*(?=@[^@]*$)/, '')
}

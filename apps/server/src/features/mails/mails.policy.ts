import type { MailState } from '@catenary/contracts'

export interface MailRules {
  recipients: MailState['recipients']
  /** In lower case. */
  domains: string[]
}

interface Asking {
  rules: MailRules
  isAdmin: boolean
  /** In lower case. */
  address: string
}

/** Whether an address, be it the account's own, must first say yes before an account's schedules may write to it (D58, D61). */
export function needsConsent({ rules, isAdmin, address }: Asking): boolean {
  if (rules.recipients === 'any' || isAdmin) return false
  return !rules.domains.includes(address.slice(address.lastIndexOf('@') + 1))
}

/** Where mail to an address in lower case arrives, as many servers have it: `a+b@example.org` reaches `a`. */
export function mailboxOf(address: string): string {
  return address.replace(/\+[^@]*(?=@[^@]*$)/, '')
}

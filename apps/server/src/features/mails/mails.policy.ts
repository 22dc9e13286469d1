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
  /** An account of this instance has it. */
  isUsers: boolean
}

/** Whether an address must first say yes before an account's schedules may write to it (D58). */
export function needsYes({ rules, isAdmin, address, isUsers }: Asking): boolean {
  if (rules.recipients === 'any' || isAdmin || isUsers) return false
  return !rules.domains.includes(address.slice(address.lastIndexOf('@') + 1))
}

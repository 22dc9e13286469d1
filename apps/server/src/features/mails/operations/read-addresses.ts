import type { AddressState, MailState, ScheduleRecipient, User } from '@catenary/contracts'
import type { Executor } from '../../../db/executor.ts'
import { type ConsentState, listConsents, listOwnConsents } from '../mail-questions.repository.ts'
import { needsConsent } from '../mails.policy.ts'
import { countMails } from '../mails.repository.ts'
import { DAY_MS, type MailsDeps, timeAgo } from '../mails-deps.ts'

export type Account = Pick<User, 'id' | 'email' | 'role'>

export interface Addressed {
  account: User
  addresses: string[]
}

/** What the account's schedules can mail. */
export async function describeMail(deps: MailsDeps, user: User): Promise<MailState> {
  const { db, mail, rules } = deps
  return {
    isSetUp: mail.isSetUp,
    recipients: user.role === 'admin' ? 'any' : rules.recipients,
    domains: rules.domains,
    ownAddress: user.email,
    ownAddressState: (await describeAddresses(deps, db, [user])).get(user.id) ?? null,
  }
}

/** For each account, whether its own address is confirmed; null if that is not required. */
export async function describeAddresses(
  deps: MailsDeps,
  executor: Executor,
  accounts: Account[],
): Promise<Map<number, AddressState | null>> {
  if (!deps.mail.isSetUp) return new Map()
  const ids = accounts.map(({ id }) => id)
  const consents = await listOwnConsents(executor, ids)
  return new Map(
    accounts.map((account) => {
      const consent = consents.get(account.id)
      const state = toState(deps, consent, { account, address: account.email })
      if (state === 'refused') return [account.id, 'refused']
      if (consent === 'confirmed') return [account.id, 'confirmed']
      return [account.id, state === 'asked' ? 'waiting' : null]
    }),
  )
}

/** Whether an account may write to each address now, and what the address answered. */
export async function considerAddresses(
  deps: MailsDeps,
  executor: Executor,
  { account, addresses }: Addressed,
) {
  const lower = addresses.map((address) => address.toLowerCase())
  const consents = await listConsents(executor, { userId: account.id, addresses: lower })
  return addresses.map((address) => {
    const consent = consents.get(address.toLowerCase())
    return { address, consent, state: toState(deps, consent, { account, address }) }
  })
}

function toState(
  { rules }: MailsDeps,
  consent: ConsentState | undefined,
  { account, address }: { account: Pick<User, 'role'>; address: string },
): ScheduleRecipient['state'] {
  if (consent === 'refused') return 'refused'
  const isAdmin = account.role === 'admin'
  const mustAsk = needsConsent({ rules, isAdmin, address: address.toLowerCase() })
  return mustAsk && consent !== 'confirmed' ? 'asked' : 'ready'
}

export async function listRecipients(
  deps: MailsDeps,
  executor: Executor,
  wanted: Addressed,
): Promise<ScheduleRecipient[]> {
  const considered = await considerAddresses(deps, executor, wanted)
  return considered.map(({ address, state }) => ({ address, state }))
}

/** Those that wait, and those that failed within a day. */
export const countUnsentMails = (deps: MailsDeps) =>
  countMails(deps.db, { failedSince: timeAgo(deps, DAY_MS) })

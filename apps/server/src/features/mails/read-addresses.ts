import type { AddressState, MailState, ScheduleRecipient, User } from '@catenary/contracts'
import type { Context } from '../../platform/context.ts'
import { type ConsentState, listConsents, listOwnConsents } from './mail-questions.sql.ts'
import { DAY_MS, needsConsent, timeAgo } from './mails.policy.ts'
import { countMails } from './mails.sql.ts'

export type Account = Pick<User, 'id' | 'email' | 'role'>

export interface Addressed {
  account: User
  addresses: string[]
}

export async function describeMail(ctx: Context, user: User): Promise<MailState> {
  const { mail, settings } = ctx
  return {
    isSetUp: mail.isSetUp,
    recipients: user.role === 'admin' ? 'any' : settings.mailRecipients,
    domains: settings.mailDomains,
    ownAddress: user.email,
    ownAddressState: (await describeAddresses(ctx, [user])).get(user.id) ?? null,
  }
}

export async function describeAddresses(
  ctx: Context,
  accounts: Account[],
): Promise<Map<number, AddressState | null>> {
  if (!ctx.mail.isSetUp) return new Map()
  const ids = accounts.map(({ id }) => id)
  const consents = await listOwnConsents(ctx.db, ids)
  return new Map(
    accounts.map((account) => {
      const consent = consents.get(account.id)
      const state = toState(ctx, { consent, account, address: account.email })
      if (state === 'refused') return [account.id, 'refused']
      if (consent === 'confirmed') return [account.id, 'confirmed']
      return [account.id, state === 'asked' ? 'waiting' : null]
    }),
  )
}

export async function considerAddresses(ctx: Context, { account, addresses }: Addressed) {
  const lower = addresses.map((address) => address.toLowerCase())
  const consents = await listConsents(ctx.db, { userId: account.id, addresses: lower })
  return addresses.map((address) => {
    const consent = consents.get(address.toLowerCase())
    return { address, consent, state: toState(ctx, { consent, account, address }) }
  })
}

function toState(
  { settings: { mailRecipients: recipients, mailDomains: domains } }: Context,
  {
    consent,
    account,
    address,
  }: { consent: ConsentState | undefined; account: Pick<User, 'role'>; address: string },
): ScheduleRecipient['state'] {
  if (consent === 'refused') return 'refused'
  const isAdmin = account.role === 'admin'
  const mustAsk = needsConsent({ recipients, domains, isAdmin, address: address.toLowerCase() })
  return mustAsk && consent !== 'confirmed' ? 'asked' : 'ready'
}

export async function listRecipients(ctx: Context, wanted: Addressed): Promise<ScheduleRecipient[]> {
  const considered = await considerAddresses(ctx, wanted)
  return considered.map(({ address, state }) => ({ address, state }))
}

export const countUnsentMails = (ctx: Context) => countMails(ctx.db, { failedSince: timeAgo(ctx, DAY_MS) })

import type { User } from '@catenary/contracts'
import { retryWhileUnavailable } from '../../database/failures/retry-while-unavailable.ts'
import type { Transaction } from '../../database/statements/executor.ts'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { MailError } from '../../platform/mail/mail-error.ts'
import { type MailMessage, renderMessage } from '../../platform/mail/mail-message.ts'
import { answerUrl } from './mail-links.ts'
import { REASONS } from './mail-messages.ts'
import { HOUR_MS, timeAgo } from './mails.policy.ts'
import { countQueued, endRecipient, insertMail, listRecipientsOf, lockMailsOf } from './mails.sql.ts'
import { askAddresses } from './queue-mail.ts'
import { considerAddresses } from './read-addresses.ts'

interface MailNow {
  account: User
  addresses: string[]
  /** The same for each try of one mail. */
  key: string
  message: MailMessage
  signal: AbortSignal
}

interface Refused {
  address: string
  reason: string
}

export interface SentNow {
  sent: string[]
  refused: Refused[]
}

/** Where the text stands already, as in the run that sends it. */
const KEPT_ELSEWHERE: MailMessage = { subject: '', paragraphs: [], markdown: '', links: [] }

/**
 * Sends before it returns, to all addresses or, where one of them may not be mailed (D58, D61) or the hour has no mail left,
 * to none. Addresses that were not asked before are asked. None that has the mail of that key gets it again. Throws
 * `MailError` where nobody knows whether an address has it.
 */
export async function sendNow(ctx: Context, mail: MailNow): Promise<SentNow> {
  const { addresses, key } = mail
  if (!ctx.mail.isSetUp) return refuseAll(addresses, 'This server has no mail server set up (SMTP_URL)')
  const refused = await transaction(ctx, (ctx) => begin(ctx, mail))
  if (refused.length > 0) return { sent: [], refused }
  const ended: SentNow = { sent: [], refused: [] }
  for (const recipient of await listRecipientsOf(ctx.db, key)) {
    const reason = recipient.sentAt === null ? await sendTo(ctx, { ...mail, recipient }) : undefined
    if (reason === undefined) ended.sent.push(recipient.address)
    else ended.refused.push({ address: recipient.address, reason })
  }
  return ended
}

const refuseAll = (addresses: string[], reason: string): SentNow => ({
  sent: [],
  refused: addresses.map((address) => ({ address, reason })),
})

/** Keeps whom it goes to, counted as sent from here on; or says of each that it can't go to why. */
async function begin(ctx: Context<Transaction>, { account, addresses, key }: MailNow): Promise<Refused[]> {
  const { db, now, settings } = ctx
  await askAddresses(ctx, { account, addresses })
  const held = (await considerAddresses(ctx, { account, addresses })).filter(({ state }) => state !== 'ready')
  if (held.length > 0)
    return held.map(({ address, state }) => {
      const isOwn = address.toLowerCase() === account.email.toLowerCase()
      return {
        address,
        reason: state === 'refused' ? REASONS.refused : isOwn ? REASONS.unconfirmed : REASONS.asked,
      }
    })
  await lockMailsOf(db, account.id)
  if ((await listRecipientsOf(db, key)).length > 0) return []
  const since = { since: timeAgo(ctx, HOUR_MS), until: latestBelieved(now()) }
  const sent = await countQueued(db, { userId: account.id, ...since })
  const { mailsPerHour } = settings
  if (sent + addresses.length > mailsPerHour)
    return refuseAll(addresses, `More than ${mailsPerHour} emails within an hour`).refused
  const recipients = addresses.map((address) => ({ address, status: 'sent' as const, reason: null }))
  const kept = { userId: account.id, occurrenceId: null, key, message: KEPT_ELSEWHERE }
  await insertMail(db, { ...kept, recipients, queuedAt: now() })
  return []
}

type Recipient = Awaited<ReturnType<typeof listRecipientsOf>>[number]

/** Why the address did not get it; undefined: it did. */
async function sendTo(
  ctx: Context,
  { account, message, recipient, signal }: MailNow & { recipient: Recipient },
): Promise<string | undefined> {
  const { db, now, mail, bounded, closing } = ctx
  const { id, address, messageId } = recipient
  const lower = address.toLowerCase()
  const isOwn = lower === account.email.toLowerCase()
  const unsubscribeUrl = isOwn
    ? undefined
    : answerUrl(ctx, { kind: 'unsubscribe', answer: [account.id, lower] })
  const stop = unsubscribeUrl === undefined ? [] : [{ label: 'Unsubscribe', href: unsubscribeUrl }]
  const links = [...message.links, ...stop]
  const rendered = await renderMessage({ ...message, links }, { bounded, owner: account.id, signal })
  try {
    await mail.send({ id: messageId, to: address, unsubscribeUrl, signal, message: rendered })
  } catch (error) {
    if (!(error instanceof MailError) || error.mayBeSent) throw error
    await endRecipient(db, { id, status: 'failed', reason: error.message })
    return error.message
  }
  const sent = { id, status: 'sent', reason: null } as const
  await retryWhileUnavailable(() => endRecipient(db, { ...sent, sentAt: now() }), { closing })
  return undefined
}

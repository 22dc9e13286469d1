import type { User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { answerUrl } from './mail-links.ts'
import {
  confirmationMessage,
  type OutgoingMail,
  questionMessage,
  REASONS,
  tooManyQuestions,
} from './mail-messages.ts'
import { countQuestions, insertQuestion, lockQuestions, saveConsent } from './mail-questions.sql.ts'
import { DAY_MS, HOUR_MS, mailboxOf, timeAgo } from './mails.policy.ts'
import { countQueued, insertMail, lockMailsOf, type RecipientRow } from './mails.sql.ts'
import { type Addressed, considerAddresses, describeAddresses } from './read-addresses.ts'

/** In a day: how many questions one account may send, and how many reach one mailbox from all of them. */
const QUESTIONS_A_DAY = { ofAccount: 40, ofMailbox: 3 }

export const mailQueue = onePerApp(({ jobs }) => jobs.queue<{ recipientId: number }>('mails'))

export const sendLater = (ctx: Context<Transaction>, recipientId: number): Promise<void> =>
  mailQueue(ctx).send(ctx.db, { key: String(recipientId), payload: { recipientId } })

/** In the caller's transaction: rolled back, nothing is sent. Asks addresses that were not asked before. */
export async function queueMail(
  ctx: Context<Transaction>,
  { addresses, ...mail }: OutgoingMail & { addresses: string[] },
): Promise<void> {
  if (!ctx.mail.isSetUp || addresses.length === 0) return
  const { account } = mail
  await askAddresses(ctx, { account, addresses })
  const considered = await considerAddresses(ctx, { account, addresses })
  const recipients = considered.map(({ address, state }): RecipientRow => {
    const isOwn = address.toLowerCase() === account.email.toLowerCase()
    const waits = isOwn ? REASONS.unconfirmed : REASONS.asked
    if (state === 'asked') return { address, status: 'asked', reason: waits }
    if (state === 'refused') return { address, status: 'withheld', reason: REASONS.refused }
    return { address, status: 'pending', reason: null }
  })
  await storeMail(ctx, { ...mail, wanted: recipients })
}

async function storeMail(
  ctx: Context<Transaction>,
  { account, key, occurrenceId, message, wanted }: OutgoingMail & { wanted: RecipientRow[] },
): Promise<void> {
  const { db, now, settings } = ctx
  const { mailsPerHour } = settings
  await lockMailsOf(db, account.id)
  const sent = await countQueued(db, {
    userId: account.id,
    since: timeAgo(ctx, HOUR_MS),
    until: latestBelieved(now()),
  })
  let left = mailsPerHour - sent
  const recipients = wanted.map((recipient): RecipientRow => {
    if (recipient.status !== 'pending') return recipient
    left -= 1
    if (left >= 0) return recipient
    return { ...recipient, status: 'failed', reason: `More than ${mailsPerHour} emails within an hour` }
  })
  const stored = await insertMail(db, {
    key,
    message,
    recipients,
    userId: account.id,
    occurrenceId: occurrenceId ?? null,
    queuedAt: now(),
  })
  for (const { id, status } of stored) if (status === 'pending') await sendLater(ctx, id)
}

export async function askAddresses(
  ctx: Context<Transaction>,
  { account, addresses }: Addressed,
): Promise<void> {
  if (!ctx.mail.isSetUp) return
  for (const { address, state, consent } of await considerAddresses(ctx, { account, addresses })) {
    if (state !== 'asked' || consent !== undefined || !(await sendQuestion(ctx, { account, address })))
      continue
    await saveConsent(ctx.db, { userId: account.id, address: address.toLowerCase(), state: 'asked' })
  }
}

/** False where the account may send no more questions today, or the mailbox get no more. */
export async function sendQuestion(
  ctx: Context<Transaction>,
  { account, address }: { account: User; address: string },
): Promise<boolean> {
  const { db, now, settings } = ctx
  const { publicUrl } = settings
  const { id: userId, username } = account
  const lower = address.toLowerCase()
  const isOwn = account.email.toLowerCase() === lower
  const question = { userId, address: lower, mailbox: mailboxOf(lower), askedAt: now(), isOwn }
  // In this order everywhere.
  await lockMailsOf(db, userId)
  await lockQuestions(db)
  const asked = await countQuestions(db, {
    ...question,
    since: timeAgo(ctx, DAY_MS),
    until: latestBelieved(now()),
  })
  const { ofAccount, ofMailbox } = QUESTIONS_A_DAY
  if (asked.ofAccount >= ofAccount || asked.ofMailbox >= ofMailbox) return false
  const id = await insertQuestion(db, question)
  const confirmUrl = answerUrl(ctx, { kind: 'confirm', answer: [userId, lower, id] })
  const refuseUrl = answerUrl(ctx, { kind: 'unsubscribe', answer: [userId, lower] })
  const message = isOwn
    ? confirmationMessage({ username, publicUrl, confirmUrl, refuseUrl })
    : questionMessage({ username, publicUrl, confirmUrl })
  const wanted: RecipientRow[] = [{ address, status: 'pending', reason: null }]
  await storeMail(ctx, { account, key: `question:${id}`, message, wanted })
  return true
}

/** Asks an account's own address once more. Throws `conflict` where there is nothing to ask, and `too_many`. */
export function askOwnAddressAgain(ctx: Context, account: User): Promise<void> {
  const { id, email } = account
  return transaction(ctx, async (ctx) => {
    const state = (await describeAddresses(ctx, [account])).get(id)
    if (state === 'refused') throw new AppError('conflict', REASONS.refused)
    if (state !== 'waiting') throw new AppError('conflict', 'This address needs no confirmation')
    if (!(await sendQuestion(ctx, { account, address: email }))) throw tooManyQuestions()
    await saveConsent(ctx.db, { userId: id, address: email.toLowerCase(), state: 'asked' })
    await recordActivity(ctx, { kind: 'mail.asked', object: 'account', id })
  })
}

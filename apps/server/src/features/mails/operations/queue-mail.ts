import type { User } from '@catenary/contracts'
import { latestBelieved } from '../../../clock-ahead.ts'
import type { Transaction } from '../../../db/executor.ts'
import { answerUrl } from '../mail-links.ts'
import { confirmationMessage, type OutgoingMail, questionMessage, REASONS } from '../mail-messages.ts'
import { countQuestions, insertQuestion, lockQuestions, saveConsent } from '../mail-questions.repository.ts'
import { mailboxOf } from '../mails.policy.ts'
import { countQueued, insertMail, lockMailsOf, type RecipientRow } from '../mails.repository.ts'
import { DAY_MS, HOUR_MS, type MailsDeps, timeAgo } from '../mails-deps.ts'
import { type Addressed, considerAddresses } from './read-addresses.ts'

/** In a day: how many questions one account may send, and how many reach one mailbox from all of them. */
const QUESTIONS_A_DAY = { ofAccount: 40, ofMailbox: 3 }

/** In the caller's transaction: rolled back, nothing is sent. Asks addresses that were not asked before. */
export async function queueMail(
  deps: MailsDeps,
  tx: Transaction,
  { addresses, ...mail }: OutgoingMail & { addresses: string[] },
): Promise<void> {
  if (!deps.mail.isSetUp || addresses.length === 0) return
  const { account } = mail
  await askAddresses(deps, tx, { account, addresses })
  const considered = await considerAddresses(deps, tx, { account, addresses })
  const recipients = considered.map(({ address, state }): RecipientRow => {
    const isOwn = address.toLowerCase() === account.email.toLowerCase()
    const waits = isOwn ? REASONS.unconfirmed : REASONS.asked
    if (state === 'asked') return { address, status: 'asked', reason: waits }
    if (state === 'refused') return { address, status: 'withheld', reason: REASONS.refused }
    return { address, status: 'pending', reason: null }
  })
  await storeMail(deps, tx, { ...mail, wanted: recipients })
}

async function storeMail(
  deps: MailsDeps,
  tx: Transaction,
  { account, key, occurrenceId, message, wanted }: OutgoingMail & { wanted: RecipientRow[] },
): Promise<void> {
  const { mailsPerHour, now, queue } = deps
  await lockMailsOf(tx, account.id)
  const sent = await countQueued(tx, {
    userId: account.id,
    since: timeAgo(deps, HOUR_MS),
    until: latestBelieved(now()),
  })
  let left = mailsPerHour - sent
  const recipients = wanted.map((recipient): RecipientRow => {
    if (recipient.status !== 'pending') return recipient
    left -= 1
    if (left >= 0) return recipient
    return { ...recipient, status: 'failed', reason: `More than ${mailsPerHour} mails within an hour` }
  })
  const stored = await insertMail(tx, {
    key,
    message,
    recipients,
    userId: account.id,
    occurrenceId: occurrenceId ?? null,
    queuedAt: now(),
  })
  for (const { id, status } of stored) if (status === 'pending') await queue.sendLater(tx, id)
}

/** Mails a question to each address that must say yes and was not asked before. */
export async function askAddresses(
  deps: MailsDeps,
  tx: Transaction,
  { account, addresses }: Addressed,
): Promise<void> {
  if (!deps.mail.isSetUp) return
  for (const { address, state, consent } of await considerAddresses(deps, tx, { account, addresses })) {
    if (state !== 'asked' || consent !== undefined || !(await sendQuestion(deps, tx, { account, address })))
      continue
    await saveConsent(tx, { userId: account.id, address: address.toLowerCase(), state: 'asked' })
  }
}

/** False where the account may send no more questions today, or the mailbox get no more. */
export async function sendQuestion(
  deps: MailsDeps,
  tx: Transaction,
  { account, address }: { account: User; address: string },
): Promise<boolean> {
  const { now, publicUrl } = deps
  const { id: userId, username } = account
  const lower = address.toLowerCase()
  const isOwn = account.email.toLowerCase() === lower
  const question = { userId, address: lower, mailbox: mailboxOf(lower), askedAt: now(), isOwn }
  // In this order everywhere.
  await lockMailsOf(tx, userId)
  await lockQuestions(tx)
  const asked = await countQuestions(tx, {
    ...question,
    since: timeAgo(deps, DAY_MS),
    until: latestBelieved(now()),
  })
  const { ofAccount, ofMailbox } = QUESTIONS_A_DAY
  if (asked.ofAccount >= ofAccount || asked.ofMailbox >= ofMailbox) return false
  const id = await insertQuestion(tx, question)
  const confirmUrl = answerUrl(deps, 'confirm', [userId, lower, id])
  const refuseUrl = answerUrl(deps, 'unsubscribe', [userId, lower])
  const message = isOwn
    ? confirmationMessage({ username, publicUrl, confirmUrl, refuseUrl })
    : questionMessage({ username, publicUrl, confirmUrl })
  const wanted: RecipientRow[] = [{ address, status: 'pending', reason: null }]
  await storeMail(deps, tx, { account, key: `question:${id}`, message, wanted })
  return true
}

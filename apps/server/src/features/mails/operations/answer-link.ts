import type { Executor, Transaction } from '../../../db/executor.ts'
import { deadLink, type LinkSubject, readAnswer } from '../mail-links.ts'
import { LINK_DAYS, REASONS, tooManyQuestions } from '../mail-messages.ts'
import {
  findOptionalQuestion,
  listConsents,
  markAnswered,
  saveConsent,
} from '../mail-questions.repository.ts'
import { findMailAccount, releaseAsked, withholdMails } from '../mails.repository.ts'
import { DAY_MS, type MailsDeps, timeAgo } from '../mails-deps.ts'
import { sendQuestion } from './queue-mail.ts'

/** Whose mails a link is about, and whether its question is still open. Throws `not_found` like all that opens a link. */
export async function describeLink(
  deps: MailsDeps,
  token: string,
): Promise<LinkSubject & { state: 'open' | 'expired' | 'used' }> {
  const { subject, state } = await openLink(deps, deps.db, token)
  return { ...subject, state }
}

/** A recipient's yes, once for each link. An old link is answered by a mail with a new one. Throws `too_many`. */
export function confirmLink(
  deps: MailsDeps,
  token: string,
): Promise<LinkSubject & { state: 'confirmed' | 'used' | 'sent' }> {
  return deps.db.transaction(async (tx) => {
    const { account, subject, question, state } = await openLink(deps, tx, token)
    const { address } = subject
    if (state === 'expired') {
      if (!(await sendQuestion(deps, tx, { account, address }))) throw tooManyQuestions()
      return { ...subject, state: 'sent' }
    }
    const isFirst =
      state === 'open' &&
      question !== undefined &&
      (await markAnswered(tx, { id: question.id, answeredAt: deps.now() }))
    if (!isFirst) return { ...subject, state: 'used' }
    await settle(deps, tx, { userId: account.id, address, state: 'confirmed' })
    return { ...subject, state: 'confirmed' }
  })
}

/** A recipient's no, for all further mails of the account. */
export async function unsubscribe(deps: MailsDeps, token: string): Promise<LinkSubject> {
  const { account, subject } = await openLink(deps, deps.db, token)
  const { address } = subject
  await deps.db.transaction((tx) => settle(deps, tx, { userId: account.id, address, state: 'refused' }))
  return subject
}

async function openLink(deps: MailsDeps, executor: Executor, token: string) {
  const [userId, address, questionId] = readAnswer(deps, token)
  const account = await findMailAccount(executor, userId)
  const question = questionId === undefined ? undefined : await findOptionalQuestion(executor, questionId)
  const isOwn = account?.email.toLowerCase() === address
  if (account === undefined || (question !== undefined && question.isOwn !== isOwn)) throw deadLink()
  const consent = (await listConsents(executor, { userId, addresses: [address] })).get(address)
  const isFresh = question !== undefined && question.askedAt > timeAgo(deps, LINK_DAYS * DAY_MS)
  const isAnswered = question === undefined ? consent !== 'asked' : question.answeredAt !== null
  const isUsed = isAnswered || consent === 'confirmed' || (consent === 'refused' && !isFresh)
  const state = isUsed ? ('used' as const) : isFresh ? ('open' as const) : ('expired' as const)
  return { account, subject: { username: account.username, address, isOwn }, question, state }
}

interface Settled {
  userId: number
  address: string
  state: 'confirmed' | 'refused'
}

/** Sends what waited for a yes, or withholds it. */
async function settle(deps: MailsDeps, tx: Transaction, { userId, address, state }: Settled): Promise<void> {
  const of = { userId, address }
  await saveConsent(tx, { ...of, state })
  if (state === 'refused') {
    return withholdMails(tx, { ...of, reason: REASONS.refused, statuses: ['asked', 'pending'] })
  }
  const ids = await releaseAsked(tx, { ...of, since: timeAgo(deps, DAY_MS), queuedAt: deps.now() })
  await withholdMails(tx, { ...of, reason: REASONS.late, statuses: ['asked'] })
  for (const id of ids) await deps.queue.sendLater(tx, id)
}

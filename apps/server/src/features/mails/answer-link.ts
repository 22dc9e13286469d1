import type { Transaction } from '../../database/statements/executor.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { deadLink, type LinkSubject, readAnswer } from './mail-links.ts'
import { LINK_DAYS, REASONS, tooManyQuestions } from './mail-messages.ts'
import { findOptionalQuestion, listConsents, markAnswered, saveConsent } from './mail-questions.sql.ts'
import { DAY_MS, timeAgo } from './mails.policy.ts'
import { findMailAccount, releaseAsked, withholdMails } from './mails.sql.ts'
import { sendLater, sendQuestion } from './queue-mail.ts'

/** Whose mails a link is about, and whether its question is still open. Throws `not_found` like all that opens a link. */
export async function describeLink(
  ctx: Context,
  token: string,
): Promise<LinkSubject & { state: 'open' | 'expired' | 'used' }> {
  const { subject, state } = await openLink(ctx, token)
  return { ...subject, state }
}

/** A recipient's yes, once for each link. An old link is answered by a mail with a new one. Throws `too_many`. */
export function confirmLink(
  ctx: Context,
  token: string,
): Promise<LinkSubject & { state: 'confirmed' | 'used' | 'sent' }> {
  return transaction(ctx, async (ctx) => {
    const { account, subject, question, state } = await openLink(ctx, token)
    const { address } = subject
    if (state === 'expired') {
      if (!(await sendQuestion(ctx, { account, address }))) throw tooManyQuestions()
      return { ...subject, state: 'sent' }
    }
    const isFirst =
      state === 'open' &&
      question !== undefined &&
      (await markAnswered(ctx.db, { id: question.id, answeredAt: ctx.now() }))
    if (!isFirst) return { ...subject, state: 'used' }
    await settle(ctx, { userId: account.id, address, state: 'confirmed' })
    await recordActivity(ctx, { kind: 'mail.confirmed', object: 'account', id: account.id })
    return { ...subject, state: 'confirmed' }
  })
}

export async function unsubscribe(ctx: Context, token: string): Promise<LinkSubject> {
  const { account, subject } = await openLink(ctx, token)
  const { address } = subject
  await transaction(ctx, async (ctx) => {
    await settle(ctx, { userId: account.id, address, state: 'refused' })
    await recordActivity(ctx, { kind: 'mail.unsubscribed', object: 'account', id: account.id })
  })
  return subject
}

async function openLink(ctx: Context, token: string) {
  const { db } = ctx
  const [userId, address, questionId] = readAnswer(ctx, token)
  const account = await findMailAccount(db, userId)
  const question = questionId === undefined ? undefined : await findOptionalQuestion(db, questionId)
  const isOwn = account?.email.toLowerCase() === address
  if (account === undefined || (question !== undefined && question.isOwn !== isOwn)) throw deadLink()
  const consent = (await listConsents(db, { userId, addresses: [address] })).get(address)
  const isFresh = question !== undefined && question.askedAt > timeAgo(ctx, LINK_DAYS * DAY_MS)
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

async function settle(ctx: Context<Transaction>, { userId, address, state }: Settled): Promise<void> {
  const { db, now } = ctx
  const of = { userId, address }
  await saveConsent(db, { ...of, state })
  if (state === 'refused') {
    return withholdMails(db, { ...of, reason: REASONS.refused, statuses: ['asked', 'pending'] })
  }
  const ids = await releaseAsked(db, { ...of, since: timeAgo(ctx, DAY_MS), queuedAt: now() })
  await withholdMails(db, { ...of, reason: REASONS.late, statuses: ['asked'] })
  for (const id of ids) await sendLater(ctx, id)
}

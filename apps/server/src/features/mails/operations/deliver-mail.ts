import { randomUUID } from 'node:crypto'
import type { MailTest, User } from '@catenary/contracts'
import { latestBelieved } from '../../../clock-ahead.ts'
import { MailError } from '../../../platform/mail/mail-error.ts'
import { renderMessage } from '../../../platform/mail/mail-message.ts'
import { retryWhileUnavailable } from '../../../retry-while-unavailable.ts'
import { answerUrl } from '../mail-links.ts'
import { testMessage } from '../mail-messages.ts'
import { findOptionalToSend, updateRecipient } from '../mails.repository.ts'
import { HOUR_MS, type MailsDeps, timeAgo } from '../mails-deps.ts'

/** Sends one mail to one address; throws on a temporary failure, to be retried. */
export async function deliverMail(
  deps: MailsDeps,
  { recipientId: id, signal }: { recipientId: number; signal: AbortSignal },
): Promise<void> {
  const { db, now, mail, bounded, closing } = deps
  const found = await findOptionalToSend(db, id)
  if (found === undefined) return
  const { messageId, address, message, userId } = found
  if (triedSince(deps, found) <= timeAgo(deps, HOUR_MS)) {
    const reason = found.reason ?? 'It could not be sent within an hour'
    return updateRecipient(db, { id, status: 'failed', reason })
  }
  const unsubscribeUrl = found.isOwn
    ? undefined
    : answerUrl(deps, 'unsubscribe', [userId, address.toLowerCase()])
  const stop = unsubscribeUrl === undefined ? [] : [{ label: 'Unsubscribe', href: unsubscribeUrl }]
  const links = [...message.links, ...stop]
  const rendered = await renderMessage({ ...message, links }, { bounded, owner: userId, signal })
  try {
    await mail.send({ id: messageId, to: address, unsubscribeUrl, signal, message: rendered })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const status = error.isFinal ? 'failed' : 'pending'
    await updateRecipient(db, { id, status, reason: error.message })
    if (error.isFinal) return
    throw error
  }
  const sent = { id, status: 'sent', reason: null } as const
  await retryWhileUnavailable(() => updateRecipient(db, { ...sent, sentAt: now() }), { closing })
}

/** What waited in a copy, or while nothing ran, has its hour from the start on. */
function triedSince({ now, startedAt }: MailsDeps, { queuedAt }: { queuedAt: Date }): Date {
  return queuedAt < startedAt || queuedAt > latestBelieved(now()) ? startedAt : queuedAt
}

/** One mail to oneself, now; a failure is a result. */
export async function sendTestMail({ bounded, mail, publicUrl }: MailsDeps, user: User): Promise<MailTest> {
  const startedAt = performance.now()
  const ended = (error: string | null): MailTest => ({
    ok: error === null,
    to: user.email,
    error,
    ms: Math.round(performance.now() - startedAt),
  })
  try {
    const id = randomUUID()
    const message = await renderMessage(testMessage({ publicUrl }), { bounded, owner: user.id })
    await mail.send({ id, to: user.email, message })
    return ended(null)
  } catch (error) {
    if (error instanceof MailError) return ended(error.message)
    throw error
  }
}

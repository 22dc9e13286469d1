import { randomUUID } from 'node:crypto'
import type { MailTest, User } from '@catenary/contracts'
import { retryWhileUnavailable } from '../../database/failures/retry-while-unavailable.ts'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { MailError } from '../../platform/mail/mail-error.ts'
import { renderMessage } from '../../platform/mail/mail-message.ts'
import { answerUrl } from './mail-links.ts'
import { testMessage } from './mail-messages.ts'
import { HOUR_MS, timeAgo } from './mails.policy.ts'
import { findOptionalToSend, updateRecipient } from './mails.sql.ts'
import { mailQueue } from './queue-mail.ts'
import { countUnsentMails } from './read-addresses.ts'

/** Per process: a hanging mail server blocks no more. */
const MAILS_AT_ONCE = 8

/** When this process began; the start asks first. */
const startedAt = onePerApp(({ now }) => now())

export function workMails(ctx: Context): void {
  startedAt(ctx)
  mailQueue(ctx).work({
    concurrency: MAILS_AT_ONCE,
    handle: ({ payload, signal }) => deliverMail(ctx, { ...payload, signal }),
  })
  watchMails(ctx)
}

function watchMails(ctx: Context): void {
  ctx.metrics?.watch({
    gauges: {
      mails_waiting: 'Emails still to be sent.',
      mails_failing: 'Emails waiting because sending them has failed.',
      mails_failed_last_day: 'Emails given up in the last 24 hours.',
    },
    read: async () => {
      const { waiting, failing, failed } = await countUnsentMails(ctx)
      return { mails_waiting: waiting, mails_failing: failing, mails_failed_last_day: failed }
    },
  })
}

async function deliverMail(
  ctx: Context,
  { recipientId: id, signal }: { recipientId: number; signal: AbortSignal },
): Promise<void> {
  const { db, now, mail, bounded, closing } = ctx
  const found = await findOptionalToSend(db, id)
  if (found === undefined) return
  const { messageId, address, message, userId } = found
  if (triedSince(ctx, found) <= timeAgo(ctx, HOUR_MS)) {
    const reason = found.reason ?? 'It could not be sent within an hour'
    return updateRecipient(db, { id, status: 'failed', reason })
  }
  const unsubscribeUrl = found.isOwn
    ? undefined
    : answerUrl(ctx, { kind: 'unsubscribe', answer: [userId, address.toLowerCase()] })
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

/** The hour of what waited in a copy, or while nothing ran, begins at the start. */
function triedSince(ctx: Context, { queuedAt }: { queuedAt: Date }): Date {
  const since = startedAt(ctx)
  return queuedAt < since || queuedAt > latestBelieved(ctx.now()) ? since : queuedAt
}

export async function sendTestMail({ bounded, mail, settings }: Context, user: User): Promise<MailTest> {
  const startedAt = performance.now()
  const ended = (error: string | null): MailTest => ({
    ok: error === null,
    to: user.email,
    error,
    ms: Math.round(performance.now() - startedAt),
  })
  try {
    const id = randomUUID()
    const message = await renderMessage(testMessage(settings), { bounded, owner: user.id })
    await mail.send({ id, to: user.email, message })
    return ended(null)
  } catch (error) {
    if (error instanceof MailError) return ended(error.message)
    throw error
  }
}

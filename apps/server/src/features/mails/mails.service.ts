import type { MailState, MailTest, ScheduleRecipient, User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import type { BoundedWork } from '../../platform/bounded/bounded-work.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { MailError } from '../../platform/mail/mail-error.ts'
import { renderMessage } from '../../platform/mail/mail-message.ts'
import { type OutgoingMail, testMessage } from './mail-messages.ts'
import { createMailQuestions, type MailQuestionsDeps, REASONS } from './mail-questions.service.ts'
import {
  countMails,
  countMailsSince,
  createMail,
  findOptionalToSend,
  listOccurrenceMails,
  lockMailsOf,
  type RecipientRow,
  updateRecipient,
} from './mails.repository.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export type MailsService = ReturnType<typeof createMailsService>

interface MailsDeps extends Omit<MailQuestionsDeps, 'isSetUp' | 'send'> {
  mail: Mail
  bounded: BoundedWork
  /** Per account and hour. */
  mailsPerHour: number
  /** Tries again what is stored while the database is away. */
  retryWhileUnavailable: <T>(operation: () => Promise<T>) => Promise<T>
}

/** Mail that the program sends on behalf of its accounts, and what the recipients say to that. */
export function createMailsService({
  mail,
  bounded,
  mailsPerHour,
  retryWhileUnavailable,
  ...deps
}: MailsDeps) {
  const { db, now, publicUrl, rules, sendLater } = deps
  const before = (ms: number) => new Date(now().getTime() - ms)

  async function store(
    tx: Transaction,
    { account, key, occurrenceId, message }: OutgoingMail,
    wanted: RecipientRow[],
  ): Promise<void> {
    await lockMailsOf(tx, account.id)
    let room = mailsPerHour - (await countMailsSince(tx, { userId: account.id, since: before(HOUR_MS) }))
    const recipients = wanted.map((recipient): RecipientRow => {
      if (recipient.status !== 'pending') return recipient
      room -= 1
      if (room >= 0) return recipient
      return { ...recipient, status: 'failed', reason: `More than ${mailsPerHour} mails within an hour` }
    })
    const created = await createMail(tx, {
      ...{ key, message, recipients, userId: account.id, occurrenceId: occurrenceId ?? null },
      queuedAt: now(),
    })
    for (const { id, status } of created) if (status === 'pending') await sendLater(tx, id)
  }

  const questions = createMailQuestions({
    ...deps,
    isSetUp: mail.isSetUp,
    send: (tx, { address, ...mail }) => store(tx, mail, [{ address, status: 'pending', reason: null }]),
  })
  const { ask, consider, unsubscribeUrl, describeAddresses, ...answers } = questions

  return {
    ...answers,
    isSetUp: mail.isSetUp,
    ask,
    describeAddresses,

    /** What the account's schedules can mail. */
    async describe(user: User): Promise<MailState> {
      const recipients = user.role === 'admin' ? 'any' : rules.recipients
      const ownAddressState = (await describeAddresses(db, [user])).get(user.id) ?? null
      return {
        ...{ isSetUp: mail.isSetUp, recipients, domains: rules.domains },
        ...{ ownAddress: user.email, ownAddressState },
      }
    },

    async listRecipients(
      executor: Executor,
      wanted: { account: User; addresses: string[] },
    ): Promise<ScheduleRecipient[]> {
      const considered = await consider(executor, wanted)
      return considered.map(({ address, state }) => ({ address, state }))
    },

    /** In the caller's transaction: rolled back, nothing is sent. */
    async queue(
      tx: Transaction,
      { addresses, ...queued }: OutgoingMail & { addresses: string[] },
    ): Promise<void> {
      if (!mail.isSetUp || addresses.length === 0) return
      const { account } = queued
      await ask(tx, { account, addresses })
      const considered = await consider(tx, { account, addresses })
      const recipients = considered.map(({ address, state }): RecipientRow => {
        const isOwn = address.toLowerCase() === account.email.toLowerCase()
        const waits = isOwn ? REASONS.unconfirmed : REASONS.asked
        if (state === 'asked') return { address, status: 'asked', reason: waits }
        if (state === 'refused') return { address, status: 'withheld', reason: REASONS.refused }
        return { address, status: 'pending', reason: null }
      })
      await store(tx, queued, recipients)
    },

    /** Sends one mail to one address; throws on a temporary failure, to be retried. */
    async deliver({ recipientId: id, signal }: { recipientId: number; signal: AbortSignal }): Promise<void> {
      const found = await findOptionalToSend(db, id)
      if (found === undefined) return
      const { mailId, address, message } = found
      if (found.queuedAt <= before(HOUR_MS)) {
        const reason = found.reason ?? 'It could not be sent within an hour'
        return updateRecipient(db, { id, status: 'failed', reason })
      }
      const stop = found.isOwn ? undefined : unsubscribeUrl(found)
      const links = [...message.links, ...(stop === undefined ? [] : [{ label: 'Unsubscribe', href: stop }])]
      const rendered = await renderMessage({ ...message, links }, { bounded, owner: found.userId, signal })
      try {
        await mail.send({
          ...{ id: `${mailId}.${id}`, to: address, unsubscribeUrl: stop, signal },
          message: rendered,
        })
      } catch (error) {
        if (!(error instanceof MailError)) throw error
        const status = error.isFinal ? 'failed' : 'pending'
        await updateRecipient(db, { id, status, reason: error.message })
        if (error.isFinal) return
        throw error
      }
      await retryWhileUnavailable(() =>
        updateRecipient(db, { id, status: 'sent', reason: null, sentAt: now() }),
      )
    },

    /** One mail to oneself, now; a failure is a result. */
    async test(user: User): Promise<MailTest> {
      const startedAt = performance.now()
      const ended = (error: string | null): MailTest => ({
        ...{ ok: error === null, to: user.email, error },
        ms: Math.round(performance.now() - startedAt),
      })
      try {
        const id = `test.${user.id}.${now().getTime()}`
        const message = await renderMessage(testMessage({ publicUrl }), { bounded, owner: user.id })
        await mail.send({ id, to: user.email, message })
        return ended(null)
      } catch (error) {
        if (error instanceof MailError) return ended(error.message)
        throw error
      }
    },

    listByOccurrences: (executor: Executor, ids: number[]) => listOccurrenceMails(executor, ids),

    count: () => countMails(db, { failedSince: before(DAY_MS) }),
  }
}

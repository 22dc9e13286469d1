import type { MailState, MailTest, ScheduleRecipient, User } from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { Letter } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { MailError } from '../../platform/mail/mail-error.ts'
import { type SecretBox, SecretBoxError } from '../../platform/secrets/secret-box.ts'
import { questionLetter, testLetter } from './mail-letters.ts'
import { type MailRules, needsYes } from './mails.policy.ts'
import {
  type ConsentState,
  countMails,
  countMailsSince,
  createConsent,
  createMail,
  findMailAccount,
  findOptionalToSend,
  listConsents,
  listOccurrenceMails,
  listUsersAddresses,
  lockMailsOf,
  type RecipientRow,
  releaseAsked,
  saveConsent,
  updateRecipient,
  withholdMails,
} from './mails.repository.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Names the use of a sealed link. */
const ANSWER_CONTEXT = 'mail-answer'

const REASONS = {
  asked: 'This address has not yet said yes to mail from here',
  late: 'This address said yes too late for it',
  refused: 'This address wants no mail from here',
}

export type MailsService = ReturnType<typeof createMailsService>

interface MailsDeps {
  db: Database
  mail: Mail
  secrets: SecretBox
  now: () => Date
  publicUrl: string
  rules: MailRules
  /** Of one account, in an hour. */
  mailsPerHour: number
  /** Has a recipient's row dealt with once the transaction is through. */
  sendLater: (tx: Transaction, recipientId: number) => Promise<void>
  /** Tries again what is stored while the database is away. */
  outlast: <T>(operation: () => Promise<T>) => Promise<T>
}

interface QueuedMail {
  /** On whose behalf: their limit counts, and what the recipients answered them. */
  account: User
  /** What it tells of: that is mailed once. */
  key: string
  occurrenceId?: number
  letter: Letter
  addresses: string[]
}

/** Mail that the program sends on behalf of its accounts, and what the recipients say to that. */
export function createMailsService({
  db,
  mail,
  secrets,
  now,
  publicUrl,
  rules,
  mailsPerHour,
  sendLater,
  outlast,
}: MailsDeps) {
  const before = (ms: number) => new Date(now().getTime() - ms)

  function answerUrl(kind: 'unsubscribe' | 'confirm', userId: number, address: string): string {
    const text = JSON.stringify([userId, address.toLowerCase()])
    return `${publicUrl}/api/mail/${kind}/${secrets.seal({ text, context: ANSWER_CONTEXT })}`
  }

  /** Whose address a link was made for; throws `not_found` for one that was not made here. */
  async function openAnswer(token: string) {
    try {
      const [userId, address] = JSON.parse(secrets.open({ sealed: token, context: ANSWER_CONTEXT })) as [
        number,
        string,
      ]
      const account = await findMailAccount(db, userId)
      if (account !== undefined) return { address, account }
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error
    }
    throw new AppError('not_found', 'This link leads nowhere any more')
  }

  /** What stands between an account and each address. */
  async function consider(
    executor: Executor,
    { account, addresses }: Pick<QueuedMail, 'account' | 'addresses'>,
  ) {
    const lower = addresses.map((address) => address.toLowerCase())
    const consents = await listConsents(executor, { userId: account.id, addresses: lower })
    const usersOwn = await listUsersAddresses(executor, lower)
    return addresses.map((address, index) => {
      const own = lower[index] ?? address
      const isUsers = usersOwn.has(own)
      const mustAsk = needsYes({ rules, isAdmin: account.role === 'admin', address: own, isUsers })
      return { address, state: stateOf(consents.get(own), { mustAsk, isUsers }) }
    })
  }

  async function store(
    tx: Transaction,
    { account, key, occurrenceId, letter }: Omit<QueuedMail, 'addresses'>,
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
      ...{ key, letter, recipients, userId: account.id, occurrenceId: occurrenceId ?? null },
      queuedAt: now(),
    })
    for (const { id, status } of created) if (status === 'pending') await sendLater(tx, id)
  }

  /** Writes to each address that must say yes and was not asked before. */
  async function ask(
    tx: Transaction,
    { account, addresses }: Pick<QueuedMail, 'account' | 'addresses'>,
  ): Promise<void> {
    if (!mail.isSetUp) return
    for (const { address, state } of await consider(tx, { account, addresses })) {
      const consent = { userId: account.id, address: address.toLowerCase() }
      if (state !== 'asked' || !(await createConsent(tx, consent))) continue
      const letter = questionLetter({
        username: account.username,
        publicUrl,
        confirmUrl: answerUrl('confirm', account.id, address),
      })
      const key = `question:${account.id}:${consent.address}`
      await store(tx, { account, key, letter }, [{ address, status: 'pending', reason: null }])
    }
  }

  async function answer(token: string, state: ConsentState): Promise<{ username: string }> {
    const { address, account } = await openAnswer(token)
    const of = { userId: account.id, address }
    await db.transaction(async (tx) => {
      await saveConsent(tx, { ...of, state })
      if (state === 'refused') {
        return withholdMails(tx, { ...of, reason: REASONS.refused, statuses: ['asked', 'pending'] })
      }
      const ids = await releaseAsked(tx, { ...of, since: before(DAY_MS), queuedAt: now() })
      await withholdMails(tx, { ...of, reason: REASONS.late, statuses: ['asked'] })
      for (const id of ids) await sendLater(tx, id)
    })
    return { username: account.username }
  }

  return {
    isSetUp: mail.isSetUp,
    ask,

    /** What the account's schedules can mail. */
    describe(user: User): MailState {
      const recipients = user.role === 'admin' ? 'any' : rules.recipients
      return { isSetUp: mail.isSetUp, recipients, domains: rules.domains, ownAddress: user.email }
    },

    listRecipients: (
      executor: Executor,
      wanted: Pick<QueuedMail, 'account' | 'addresses'>,
    ): Promise<ScheduleRecipient[]> => consider(executor, wanted),

    /** In the caller's transaction: rolled back, nothing is sent. */
    async queue(tx: Transaction, { addresses, ...queued }: QueuedMail): Promise<void> {
      if (!mail.isSetUp || addresses.length === 0) return
      const { account } = queued
      await ask(tx, { account, addresses })
      const considered = await consider(tx, { account, addresses })
      const recipients = considered.map(({ address, state }): RecipientRow => {
        if (state === 'asked') return { address, status: 'asked', reason: REASONS.asked }
        if (state === 'refused') return { address, status: 'withheld', reason: REASONS.refused }
        return { address, status: 'pending', reason: null }
      })
      await store(tx, queued, recipients)
    },

    /** Sends one mail to one address; throws while the mail server has trouble, which is to be tried again. */
    async deliver({ recipientId: id, signal }: { recipientId: number; signal: AbortSignal }): Promise<void> {
      const found = await findOptionalToSend(db, id)
      if (found === undefined) return
      const { mailId, address, letter, userId } = found
      if (found.queuedAt <= before(HOUR_MS)) {
        const reason = found.reason ?? 'It could not be sent within an hour'
        return updateRecipient(db, { id, status: 'failed', reason })
      }
      const lower = address.toLowerCase()
      const isUsers = (await listUsersAddresses(db, [lower])).has(lower)
      const unsubscribeUrl = isUsers ? undefined : answerUrl('unsubscribe', userId, address)
      const links = [
        ...letter.links,
        ...(unsubscribeUrl === undefined ? [] : [{ label: 'No more of these mails', href: unsubscribeUrl }]),
      ]
      try {
        await mail.send({
          ...{ id: `${mailId}.${id}`, to: address, unsubscribeUrl, signal },
          letter: { ...letter, links },
        })
      } catch (error) {
        if (!(error instanceof MailError)) throw error
        const status = error.isFinal ? 'failed' : 'pending'
        await updateRecipient(db, { id, status, reason: error.message })
        if (error.isFinal) return
        throw error
      }
      await outlast(() => updateRecipient(db, { id, status: 'sent', reason: null, sentAt: now() }))
    },

    /** A recipient's yes; throws `not_found` for a link that was not made here. */
    confirm: (token: string) => answer(token, 'confirmed'),

    /** A recipient's no, which holds. */
    unsubscribe: (token: string) => answer(token, 'refused'),

    /** Whose mails a link is about. */
    async describeLink(token: string): Promise<{ username: string; address: string }> {
      const { address, account } = await openAnswer(token)
      return { address, username: account.username }
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
        await mail.send({ id, to: user.email, letter: testLetter({ publicUrl }) })
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

function stateOf(
  consent: ConsentState | undefined,
  { mustAsk, isUsers }: { mustAsk: boolean; isUsers: boolean },
): ScheduleRecipient['state'] {
  if (consent === 'refused' && !isUsers) return 'refused'
  return mustAsk && consent !== 'confirmed' ? 'asked' : 'ready'
}

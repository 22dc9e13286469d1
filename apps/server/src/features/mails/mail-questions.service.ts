import type { AddressState, ScheduleRecipient, User } from '@catenary/contracts'
import * as z from 'zod'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type SecretBox, SecretBoxError } from '../../platform/secrets/secret-box.ts'
import { confirmationMessage, LINK_DAYS, type OutgoingMail, questionMessage } from './mail-messages.ts'
import {
  answerQuestion,
  type ConsentState,
  confirmUnasked,
  countQuestions,
  createQuestion,
  findOptionalQuestion,
  forgetUnasked,
  listConsents,
  listOwnConsents,
  listUnasked,
  lockQuestions,
  saveConsent,
} from './mail-questions.repository.ts'
import { type MailRules, mailboxOf, needsConsent } from './mails.policy.ts'
import { findMailAccount, lockMailsOf, releaseAsked, withholdMails } from './mails.repository.ts'

const DAY_MS = 86_400_000
const DAY_SECONDS = 86_400
/** In a day: how many questions one account may send, and how many reach one mailbox from all of them. */
const QUESTIONS_A_DAY = { ofAccount: 40, ofMailbox: 3 }
const UPGRADE_SLICE = 100
/** Names the use of a sealed link. */
const ANSWER_CONTEXT = 'mail-answer'
const answerToken = z.tuple([z.int(), z.string()]).rest(z.int())

export const REASONS = {
  asked: 'This address has not yet said yes to mail from here',
  unconfirmed: 'This address is not confirmed yet',
  late: 'This address said yes too late for it',
  refused: 'This address wants no mail from here',
}

/** Whose mails a link is about. */
export interface LinkSubject {
  username: string
  address: string
  /** It is the account's own address. */
  isOwn: boolean
}

interface Addressed {
  account: User
  addresses: string[]
}

export interface MailQuestionsDeps {
  db: Database
  secrets: SecretBox
  now: () => Date
  publicUrl: string
  rules: MailRules
  registration: 'open' | 'closed'
  /** Mail is set up. */
  isSetUp: boolean
  send: (tx: Transaction, mail: OutgoingMail & { address: string }) => Promise<void>
  sendLater: (tx: Transaction, recipientId: number) => Promise<void>
}

/** Which addresses an account's mails may go to: each is asked by a mail, the account's own too (D58, D61). */
export function createMailQuestions({
  db,
  secrets,
  now,
  publicUrl,
  rules,
  registration,
  isSetUp,
  send,
  sendLater,
}: MailQuestionsDeps) {
  const before = (ms: number) => new Date(now().getTime() - ms)

  function answerUrl(
    kind: 'unsubscribe' | 'confirm',
    answer: [userId: number, address: string, ...number[]],
  ) {
    const token = secrets.seal({ text: JSON.stringify(answer), context: ANSWER_CONTEXT })
    return `${publicUrl}/api/mail/${kind}/${token}`
  }

  /** What a link is about, and what its question has become; throws `not_found` for one that was not made here. */
  async function open(executor: Executor, token: string) {
    const [userId, address, questionId] = readToken(secrets, token)
    const account = await findMailAccount(executor, userId)
    const question = questionId === undefined ? undefined : await findOptionalQuestion(executor, questionId)
    const isOwn = account?.email.toLowerCase() === address
    if (account === undefined || (question !== undefined && question.isOwn !== isOwn)) throw deadLink()
    const consent = (await listConsents(executor, { userId, addresses: [address] })).get(address)
    const isFresh = question !== undefined && question.askedAt > before(LINK_DAYS * DAY_MS)
    const isAnswered = question === undefined ? consent !== 'asked' : question.answeredAt !== null
    const isUsed = isAnswered || consent === 'confirmed' || (consent === 'refused' && !isFresh)
    const state = isUsed ? ('used' as const) : isFresh ? ('open' as const) : ('expired' as const)
    return { account, address, isOwn, question, state }
  }

  /** What stands between an account and each address. */
  async function consider(executor: Executor, { account, addresses }: Addressed) {
    const lower = addresses.map((address) => address.toLowerCase())
    const consents = await listConsents(executor, { userId: account.id, addresses: lower })
    return addresses.map((address) => {
      const consent = consents.get(address.toLowerCase())
      return { address, consent, state: toState(consent, { account, address }) }
    })
  }

  function toState(
    consent: ConsentState | undefined,
    { account, address }: { account: Pick<User, 'role'>; address: string },
  ): ScheduleRecipient['state'] {
    if (consent === 'refused') return 'refused'
    const isAdmin = account.role === 'admin'
    const mustAsk = needsConsent({ rules, isAdmin, address: address.toLowerCase() })
    return mustAsk && consent !== 'confirmed' ? 'asked' : 'ready'
  }

  /** Mails a question; false where the account, or the mailbox, has had its share of the day. */
  async function sendQuestion(
    tx: Transaction,
    { account, address }: { account: User; address: string },
  ): Promise<boolean> {
    const own = address.toLowerCase()
    const question = {
      ...{ userId: account.id, address: own, mailbox: mailboxOf(own), askedAt: now() },
      isOwn: account.email.toLowerCase() === own,
    }
    // In this order everywhere.
    await lockMailsOf(tx, account.id)
    await lockQuestions(tx)
    const asked = await countQuestions(tx, { ...question, since: before(DAY_MS) })
    const { ofAccount, ofMailbox } = QUESTIONS_A_DAY
    if (asked.ofAccount >= ofAccount || asked.ofMailbox >= ofMailbox) return false
    const id = await createQuestion(tx, question)
    const about = { username: account.username, publicUrl }
    const confirmUrl = answerUrl('confirm', [account.id, own, id])
    const refuseUrl = answerUrl('unsubscribe', [account.id, own])
    const message = question.isOwn
      ? confirmationMessage({ ...about, confirmUrl, refuseUrl })
      : questionMessage({ ...about, confirmUrl })
    await send(tx, { account, key: `question:${id}`, message, address })
    return true
  }

  /** Writes to each address that must say yes and was not asked before. */
  async function ask(tx: Transaction, { account, addresses }: Addressed): Promise<void> {
    if (!isSetUp) return
    for (const { address, state, consent } of await consider(tx, { account, addresses })) {
      const isNew = consent === undefined || consent === 'unasked'
      if (state !== 'asked' || !isNew || !(await sendQuestion(tx, { account, address }))) continue
      await saveConsent(tx, { userId: account.id, address: address.toLowerCase(), state: 'asked' })
    }
  }

  async function settle(tx: Transaction, { userId, address, state }: Settled): Promise<void> {
    const of = { userId, address }
    await saveConsent(tx, { ...of, state })
    if (state === 'refused') {
      return withholdMails(tx, { ...of, reason: REASONS.refused, statuses: ['asked', 'pending'] })
    }
    const ids = await releaseAsked(tx, { ...of, since: before(DAY_MS), queuedAt: now() })
    await withholdMails(tx, { ...of, reason: REASONS.late, statuses: ['asked'] })
    for (const id of ids) await sendLater(tx, id)
  }

  async function describeAddresses(
    executor: Executor,
    accounts: Pick<User, 'id' | 'email' | 'role'>[],
  ): Promise<Map<number, AddressState | null>> {
    if (!isSetUp) return new Map()
    const consents = await listOwnConsents(
      executor,
      accounts.map(({ id }) => id),
    )
    return new Map(
      accounts.map((account) => {
        const consent = consents.get(account.id)
        const state = toState(consent, { account, address: account.email })
        if (state === 'refused') return [account.id, 'refused']
        if (consent === 'confirmed') return [account.id, 'confirmed']
        return [account.id, state === 'asked' ? 'waiting' : null]
      }),
    )
  }

  return {
    ask,
    consider,

    /** Where one click asks for no more mails of an account. */
    unsubscribeUrl: ({ userId, address }: { userId: number; address: string }) =>
      answerUrl('unsubscribe', [userId, address.toLowerCase()]),

    /** For each account, whether its own address is confirmed; null if that is not required. */
    describeAddresses,

    /** Asks an account's own address once more. Throws `conflict` where there is nothing to ask, and `too_many`. */
    askOwnAgain(account: User): Promise<void> {
      return db.transaction(async (tx) => {
        const state = (await describeAddresses(tx, [account])).get(account.id)
        if (state === 'refused') throw new AppError('conflict', REASONS.refused)
        if (state !== 'waiting') throw new AppError('conflict', 'This address needs no confirmation')
        if (!(await sendQuestion(tx, { account, address: account.email }))) throw askedTooOften()
        await saveConsent(tx, { userId: account.id, address: account.email.toLowerCase(), state: 'asked' })
      })
    },

    /** Whose mails a link is about, and whether its question is still open. */
    async describeLink(token: string): Promise<LinkSubject & { state: 'open' | 'expired' | 'used' }> {
      const { account, address, isOwn, state } = await open(db, token)
      return { username: account.username, address, isOwn, state }
    },

    /**
     * A recipient's yes: once a link. An old link is answered by a mail with a new one. Throws `not_found` for a link
     * that was not made here, and `too_many`.
     */
    confirm(token: string): Promise<LinkSubject & { state: 'confirmed' | 'used' | 'sent' }> {
      return db.transaction(async (tx) => {
        const { account, address, isOwn, question, state } = await open(tx, token)
        const subject = { username: account.username, address, isOwn }
        if (state === 'expired') {
          if (!(await sendQuestion(tx, { account, address }))) throw askedTooOften()
          return { ...subject, state: 'sent' }
        }
        const isFirst =
          state === 'open' &&
          question !== undefined &&
          (await answerQuestion(tx, { id: question.id, answeredAt: now() }))
        if (!isFirst) return { ...subject, state: 'used' }
        await settle(tx, { userId: account.id, address, state: 'confirmed' })
        return { ...subject, state: 'confirmed' }
      })
    },

    /** A recipient's no, which holds. */
    async unsubscribe(token: string): Promise<LinkSubject> {
      const { account, address, isOwn } = await open(db, token)
      await db.transaction((tx) => settle(tx, { userId: account.id, address, state: 'refused' }))
      return { username: account.username, address, isOwn }
    },

    /** After an upgrade: accounts from before count as confirmed, or are asked once. */
    async settleUnasked(): Promise<void> {
      if (registration === 'closed') return confirmUnasked(db)
      let slice = isSetUp ? await listUnasked(db, { after: 0, limit: UPGRADE_SLICE }) : []
      while (slice.length > 0) {
        for (const account of slice) {
          await db.transaction((tx) => ask(tx, { account, addresses: [account.email] }))
        }
        slice = await listUnasked(db, { after: slice.at(-1)?.id ?? 0, limit: UPGRADE_SLICE })
      }
      await forgetUnasked(db)
    },
  }
}

interface Settled {
  userId: number
  address: string
  state: 'confirmed' | 'refused'
}

function readToken(secrets: SecretBox, sealed: string) {
  try {
    return answerToken.parse(JSON.parse(secrets.open({ sealed, context: ANSWER_CONTEXT })))
  } catch (error) {
    if (error instanceof SecretBoxError) throw deadLink()
    throw error
  }
}

function deadLink(): AppError {
  return new AppError('not_found', 'This link does not work any more')
}

function askedTooOften(): AppError {
  const message = 'Too many mails asked for a confirmation today. Try again tomorrow.'
  return new AppError('too_many', message, { retryAfter: DAY_SECONDS })
}

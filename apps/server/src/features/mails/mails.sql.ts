import { type Notifications, notificationsWith, type Role, type User } from '@catenary/contracts'
import { and, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import { asciiKey } from '../../database/schema/columns.ts'
import { type MailStatus, mailRecipients, mails, users } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import type { MailMessage } from '../../platform/mail/mail-message.ts'

export interface RecipientRow {
  address: string
  status: MailStatus
  reason: string | null
}

const addressInLowerCase = asciiKey(mailRecipients.address)

/** Counting and writing of one account's mails come one after the other. */
export async function lockMailsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('mails'), ${userId})`)
}

export async function countQueued(
  db: Executor,
  { userId, since, until }: { userId: number; since: Date; until: Date },
): Promise<number> {
  const [counted] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(mailRecipients)
    .innerJoin(mails, eq(mails.id, mailRecipients.mailId))
    .where(
      and(
        eq(mails.userId, userId),
        gt(mailRecipients.queuedAt, since),
        lte(mailRecipients.queuedAt, until),
        inArray(mailRecipients.status, ['pending', 'sent']),
      ),
    )
  return counted?.count ?? 0
}

interface NewMail {
  userId: number
  occurrenceId: number | null
  key: string
  message: MailMessage
}

/** The ids of the recipients' rows; none where there is a mail of that key. */
export async function insertMail(
  db: Executor,
  { recipients, queuedAt, ...mail }: NewMail & { recipients: RecipientRow[]; queuedAt: Date },
): Promise<{ id: number; status: MailStatus }[]> {
  const [created] = await db.insert(mails).values(mail).onConflictDoNothing().returning({ id: mails.id })
  if (created === undefined || recipients.length === 0) return []
  const rows = recipients.map((recipient) => ({ ...recipient, mailId: created.id, queuedAt }))
  return db
    .insert(mailRecipients)
    .values(rows)
    .returning({ id: mailRecipients.id, status: mailRecipients.status })
}

export async function findOptionalToSend(db: Executor, recipientId: number) {
  const [found] = await db
    .select({
      messageId: mailRecipients.messageId,
      address: mailRecipients.address,
      queuedAt: mailRecipients.queuedAt,
      reason: mailRecipients.reason,
      message: mails.message,
      userId: mails.userId,
      isOwn: sql<boolean>`${asciiKey(users.email)} = ${addressInLowerCase}`,
    })
    .from(mailRecipients)
    .innerJoin(mails, eq(mails.id, mailRecipients.mailId))
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(eq(mailRecipients.id, recipientId), eq(mailRecipients.status, 'pending')))
  return found
}

export async function updateRecipient(
  db: Executor,
  { id, ...change }: { id: number; status: MailStatus; reason: string | null; sentAt?: Date },
): Promise<void> {
  await db
    .update(mailRecipients)
    .set(change)
    .where(and(eq(mailRecipients.id, id), eq(mailRecipients.status, 'pending')))
}

/** Of the mail of a key, whatever became of it. */
export function listRecipientsOf(db: Executor, key: string) {
  const { id, address, messageId, sentAt } = mailRecipients
  return db
    .select({ id, address, messageId, sentAt })
    .from(mailRecipients)
    .innerJoin(mails, eq(mails.id, mailRecipients.mailId))
    .where(eq(mails.key, key))
    .orderBy(id)
}

/** Of one that no queue sends. */
export async function endRecipient(
  db: Executor,
  { id, ...change }: { id: number; status: MailStatus; reason: string | null; sentAt?: Date },
): Promise<void> {
  await db.update(mailRecipients).set(change).where(eq(mailRecipients.id, id))
}

interface OfAddress {
  userId: number
  address: string
}

function waitingFor({ userId, address }: OfAddress, statuses: MailStatus[]) {
  const ofUser = sql`${mailRecipients.mailId} in (select id from mails where user_id = ${userId})`
  return and(ofUser, eq(addressInLowerCase, address), inArray(mailRecipients.status, statuses))
}

/** Mails that have waited for the address's consent since then become due; returns the ids of their rows. */
export async function releaseAsked(
  db: Executor,
  { since, queuedAt, ...of }: OfAddress & { since: Date; queuedAt: Date },
): Promise<number[]> {
  const released = await db
    .update(mailRecipients)
    .set({ status: 'pending', reason: null, queuedAt })
    .where(and(waitingFor(of, ['asked']), gt(mailRecipients.queuedAt, since)))
    .returning({ id: mailRecipients.id })
  return released.map(({ id }) => id)
}

export async function withholdMails(
  db: Executor,
  { reason, statuses, ...of }: OfAddress & { reason: string; statuses: MailStatus[] },
): Promise<void> {
  await db.update(mailRecipients).set({ status: 'withheld', reason }).where(waitingFor(of, statuses))
}

export async function listOccurrenceMails(
  db: Executor,
  occurrenceIds: number[],
): Promise<Map<number, RecipientRow[]>> {
  const rows = await db
    .selectDistinctOn([mails.occurrenceId, mailRecipients.address], {
      occurrenceId: mails.occurrenceId,
      address: mailRecipients.address,
      status: mailRecipients.status,
      reason: mailRecipients.reason,
    })
    .from(mails)
    .innerJoin(mailRecipients, eq(mailRecipients.mailId, mails.id))
    .where(inArray(mails.occurrenceId, occurrenceIds))
    .orderBy(mails.occurrenceId, mailRecipients.address, sql`${mails.id} desc`)
  const found = new Map<number, RecipientRow[]>()
  for (const { occurrenceId, ...recipient } of rows) {
    const recipients = found.get(occurrenceId ?? 0)
    if (recipients === undefined) found.set(occurrenceId ?? 0, [recipient])
    else recipients.push(recipient)
  }
  return found
}

export async function findMailAccount(db: Executor, id: number) {
  const [found] = await db
    .select({ id: users.id, username: users.displayUsername, email: users.email, role: users.role })
    .from(users)
    .where(and(eq(users.id, id), ne(users.banned, true)))
  return found && { ...found, role: found.role as Role }
}

export async function countMails(db: Executor, { failedSince }: { failedSince: Date }) {
  const [counted] = await db
    .select({
      waiting: sql`count(*) filter (where ${mailRecipients.status} = 'pending')`.mapWith(Number),
      failing:
        sql`count(*) filter (where ${mailRecipients.status} = 'pending' and ${mailRecipients.reason} <> '')`.mapWith(
          Number,
        ),
      failed: sql`count(*) filter (where ${mailRecipients.status} = 'failed')`.mapWith(Number),
    })
    .from(mailRecipients)
    .where(
      sql`${mailRecipients.status} = 'pending' or ${mailRecipients.status} = 'failed' and ${gt(mailRecipients.queuedAt, failedSince)}`,
    )
  return counted ?? { waiting: 0, failing: 0, failed: 0 }
}

/** Whom a message is for, and by which ways such messages reach them; undefined where the account is disabled. */
export async function findToldPerson(
  db: Executor,
  userId: number,
): Promise<{ account: User; notifications: Notifications } | undefined> {
  const { id, displayUsername: username, email, role, notifications, banned } = users
  const [found] = await db
    .select({ account: { id, username, email, role }, notifications })
    .from(users)
    .where(and(eq(id, userId), eq(banned, false)))
  if (found === undefined) return undefined
  const account = { ...found.account, role: found.account.role as Role }
  return { account, notifications: notificationsWith(found.notifications) }
}

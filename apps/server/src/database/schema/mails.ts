import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { at, belongsTo, createdAt, primaryId } from './columns.ts'
import { scheduledOccurrences } from './schedules.ts'
import { users } from './users.ts'

interface StoredMessage {
  subject: string
  paragraphs: string[]
  markdown: string
  links: { label: string; href: string }[]
}

export const mails = pgTable(
  'mails',
  {
    id: primaryId(),
    userId: belongsTo(() => users.id),
    occurrenceId: integer().references(() => scheduledOccurrences.id, { onDelete: 'cascade' }),
    /** What it is about: each is mailed once. */
    key: text().notNull(),
    message: jsonb('letter').$type<StoredMessage>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('mails_key').on(t.key),
    index('mails_occurrence').on(t.occurrenceId),
    index('mails_user').on(t.userId, t.createdAt),
  ],
)

/** `asked` waits for consent; `withheld` is not sent because the recipient declined. */
export type MailStatus = 'pending' | 'asked' | 'sent' | 'failed' | 'withheld'

export const mailRecipients = pgTable(
  'mail_recipients',
  {
    id: primaryId(),
    mailId: belongsTo(() => mails.id),
    address: text().notNull(),
    /** Of its `Message-ID`: random, as receivers drop what another database of the same sender sent under the same one. */
    messageId: text().notNull().default(sql`gen_random_uuid()::text`),
    status: text().$type<MailStatus>().notNull(),
    reason: text(),
    queuedAt: at().notNull(),
    sentAt: at(),
  },
  (t) => [
    unique('mail_recipients_address').on(t.mailId, t.address),
    index('mail_recipients_status').on(t.status, t.queuedAt),
  ],
)

/** What an address answered to the mails of one account, its own address included; in lower case. */
export const mailConsents = pgTable(
  'mail_consents',
  {
    userId: belongsTo(() => users.id),
    address: text().notNull(),
    state: text().$type<'asked' | 'confirmed' | 'refused'>().notNull(),
    updatedAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.address] })],
)

export const mailQuestions = pgTable(
  'mail_questions',
  {
    id: primaryId(),
    userId: belongsTo(() => users.id),
    address: text().notNull(),
    /** The mailbox of the address: without the part after a plus sign. */
    mailbox: text().notNull(),
    isOwn: boolean().notNull(),
    askedAt: at().notNull(),
    answeredAt: at(),
  },
  (t) => [
    index('mail_questions_mailbox').on(t.mailbox, t.askedAt),
    index('mail_questions_user').on(t.userId, t.askedAt),
  ],
)

import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { asciiKey } from '../../database/schema/columns.ts'
import { mailConsents, mailQuestions, users } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'

export type ConsentState = typeof mailConsents.$inferSelect.state
type QuestionRow = typeof mailQuestions.$inferSelect

export async function listConsents(
  db: Executor,
  { userId, addresses }: { userId: number; addresses: string[] },
): Promise<Map<string, ConsentState>> {
  const rows = await db
    .select({ address: mailConsents.address, state: mailConsents.state })
    .from(mailConsents)
    .where(and(eq(mailConsents.userId, userId), inArray(mailConsents.address, addresses)))
  return new Map(rows.map(({ address, state }) => [address, state]))
}

export async function listOwnConsents(db: Executor, userIds: number[]): Promise<Map<number, ConsentState>> {
  const rows = await db
    .select({ userId: users.id, state: mailConsents.state })
    .from(users)
    .innerJoin(
      mailConsents,
      and(eq(mailConsents.userId, users.id), eq(mailConsents.address, asciiKey(users.email))),
    )
    .where(inArray(users.id, userIds))
  return new Map(rows.map(({ userId, state }) => [userId, state]))
}

/** Questions are counted and written one at a time, across all people. */
export async function lockQuestions(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('mail-questions'))`)
}

/** How often since then an account asked, and how often a mailbox was asked in that way, by any account. */
export async function countQuestions(
  db: Executor,
  {
    userId,
    mailbox,
    isOwn,
    since,
    until,
  }: Pick<QuestionRow, 'userId' | 'mailbox' | 'isOwn'> & { since: Date; until: Date },
): Promise<{ ofAccount: number; ofMailbox: number }> {
  const isRecent = and(gt(mailQuestions.askedAt, since), lte(mailQuestions.askedAt, until))
  const ofMailbox = and(eq(mailQuestions.mailbox, mailbox), eq(mailQuestions.isOwn, isOwn), isRecent)
  return {
    ofAccount: await db.$count(mailQuestions, and(eq(mailQuestions.userId, userId), isRecent)),
    ofMailbox: await db.$count(mailQuestions, ofMailbox),
  }
}

export async function insertQuestion(
  db: Executor,
  question: Omit<QuestionRow, 'id' | 'answeredAt'>,
): Promise<number> {
  const [created] = await db.insert(mailQuestions).values(question).returning({ id: mailQuestions.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

export async function findOptionalQuestion(db: Executor, id: number): Promise<QuestionRow | undefined> {
  const [found] = await db.select().from(mailQuestions).where(eq(mailQuestions.id, id))
  return found
}

/** False where it was answered before: of two answers one counts. */
export async function markAnswered(
  db: Executor,
  { id, answeredAt }: { id: number; answeredAt: Date },
): Promise<boolean> {
  const { rowCount } = await db
    .update(mailQuestions)
    .set({ answeredAt })
    .where(and(eq(mailQuestions.id, id), isNull(mailQuestions.answeredAt)))
  return rowCount === 1
}

export async function saveConsent(
  db: Executor,
  consent: { userId: number; address: string; state: ConsentState },
): Promise<void> {
  const { state } = consent
  await db
    .insert(mailConsents)
    .values(consent)
    .onConflictDoUpdate({
      target: [mailConsents.userId, mailConsents.address],
      set: { state, updatedAt: sql`now()` },
    })
}

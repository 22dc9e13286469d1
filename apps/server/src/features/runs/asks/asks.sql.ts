import type { AskStatus } from '@catenary/contracts'
import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { asks, chains, runs, users } from '../../../database/schema/index.ts'
import { clipOf, isClipped } from '../../../database/statements/clipped-text.ts'
import type { Executor, Transaction } from '../../../database/statements/executor.ts'
import { isAskedOf, isOpen, isSeenBy } from './asked-people.sql.ts'

const answerers = alias(users, 'answerers')

const columns = {
  id: asks.id,
  executionId: asks.executionId,
  attempt: asks.attempt,
  position: asks.position,
  title: asks.title,
  userId: asks.userId,
  chainId: asks.chainId,
  chainName: sql<string>`coalesce(${runs.chainName}, '')`,
  runBy: users.displayUsername,
  question: asks.question,
  editable: asks.editable,
  role: asks.role,
  asked: asks.asked,
  choices: asks.choices,
  onDeadline: asks.onDeadline,
  createdAt: asks.createdAt,
  deadline: asks.deadline,
  status: asks.status,
  decision: asks.decision,
  reason: asks.reason,
  by: answerers.displayUsername,
  closedAt: asks.closedAt,
  unsure: asks.unsure,
}
const canAnswer = (viewerId: number) => sql<boolean>`coalesce(${and(isOpen, isAskedOf(viewerId))}, false)`

function selectAsks(db: Executor, viewerId: number) {
  return db
    .select({
      ...columns,
      text: asks.text,
      givenText: asks.givenText,
      calls: asks.calls,
      canAnswer: canAnswer(viewerId),
    })
    .from(asks)
    .innerJoin(runs, eq(runs.id, asks.executionId))
    .innerJoin(chains, eq(chains.id, asks.chainId))
    .innerJoin(users, eq(users.id, asks.userId))
    .leftJoin(answerers, eq(answerers.id, asks.answeredBy))
}

export type AskRow = NonNullable<Awaited<ReturnType<typeof findOptionalAsk>>>

export async function findOptionalAsk(db: Executor, { id, viewerId }: { id: number; viewerId: number }) {
  const [found] = await selectAsks(db, viewerId).where(and(eq(asks.id, id), isSeenBy(viewerId)))
  return found
}

interface Listed {
  viewerId: number
  status: AskStatus | undefined
}

const isListed = ({ viewerId, status }: Listed): SQL | undefined =>
  and(isSeenBy(viewerId), status === undefined ? undefined : eq(asks.status, status))

export function listAskRows(
  db: Executor,
  { before, limit, ...listed }: Listed & { before: number | undefined; limit: number },
) {
  return db
    .select({
      ...columns,
      text: clipOf(asks.text),
      textLength: sql<number | null>`case when ${isClipped(asks.text)} then char_length(${asks.text}) end`,
      givenText: sql<string | null>`${clipOf(asks.givenText)}`,
      canAnswer: canAnswer(listed.viewerId),
    })
    .from(asks)
    .innerJoin(runs, eq(runs.id, asks.executionId))
    .innerJoin(chains, eq(chains.id, asks.chainId))
    .innerJoin(users, eq(users.id, asks.userId))
    .leftJoin(answerers, eq(answerers.id, asks.answeredBy))
    .where(and(isListed(listed), before === undefined ? undefined : lt(asks.id, before)))
    .orderBy(desc(asks.id))
    .limit(limit)
}

export type ListedAskRow = Awaited<ReturnType<typeof listAskRows>>[number]

export async function countAsks(db: Executor, listed: Listed): Promise<number> {
  return count(db, isListed(listed))
}

export async function countWaiting(db: Executor, viewerId: number): Promise<number> {
  return count(db, and(isOpen, isAskedOf(viewerId)))
}

async function count(db: Executor, which: SQL | undefined): Promise<number> {
  const [counted] = await db
    .select({ count: sql<number>`count(*)::integer` })
    .from(asks)
    .innerJoin(chains, eq(chains.id, asks.chainId))
    .where(which)
  return counted?.count ?? 0
}

export async function existsAskOf(db: Executor, executionId: number): Promise<boolean> {
  const found = await db.select({ id: asks.id }).from(asks).where(eq(asks.executionId, executionId)).limit(1)
  return found.length > 0
}

/** The run first, as whoever stops it does: two that close one ask wait for each other. */
export async function lockAsk(tx: Transaction, { id, executionId }: { id: number; executionId: number }) {
  await tx.select({ id: runs.id }).from(runs).where(eq(runs.id, executionId)).for('update')
  const [found] = await tx.select().from(asks).where(eq(asks.id, id)).for('update')
  return found
}

export type LockedAsk = NonNullable<Awaited<ReturnType<typeof lockAsk>>>

import type { WaitingFor } from '@catenary/contracts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { asks, runItems, runSteps, runs, toolCalls, users } from '../../../database/schema/index.ts'
import type { Executor, Transaction } from '../../../database/statements/executor.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { LockedAsk } from './asks.sql.ts'

/** As `tool_calls` has it of a step that runs once. */
const ONCE = -1

export async function findUsername(db: Executor, id: number): Promise<string> {
  const [found] = await db.select({ name: users.displayUsername }).from(users).where(eq(users.id, id))
  return found?.name ?? ''
}

/** The newest ask about a call of a person’s own run, as its place names it. */
export async function findUnsureOf(
  db: Executor,
  {
    executionId,
    position,
    item,
    userId,
  }: { executionId: number; position: number; item: number | null; userId: number },
) {
  const [found] = await db
    .select({ id: asks.id })
    .from(asks)
    .where(
      and(
        eq(asks.executionId, executionId),
        eq(asks.position, position),
        eq(asks.userId, userId),
        sql`(${asks.unsure} ->> 'item')::integer is not distinct from ${item}::integer`,
        sql`${asks.unsure} is not null`,
      ),
    )
    .orderBy(sql`${asks.id} desc`)
    .limit(1)
  return found
}

export async function findPlannedStep(
  db: Executor,
  { executionId, position }: { executionId: number; position: number },
): Promise<PlannedStep | undefined> {
  const [found] = await db.select({ plan: runs.plan }).from(runs).where(eq(runs.id, executionId))
  return (found?.plan as PlannedStep[] | null | undefined)?.find((step) => step.position === position)
}

export async function closeAnswered(
  tx: Transaction,
  { id, ...closed }: Pick<LockedAsk, 'id' | 'decision' | 'givenText' | 'answeredBy' | 'closedAt'>,
): Promise<void> {
  await tx
    .update(asks)
    .set({ ...closed, status: 'answered' })
    .where(eq(asks.id, id))
}

/** Whoever goes on with the run sends it again, under the key that it has. */
export async function letSendAgain(
  tx: Transaction,
  { executionId, position, unsure }: LockedAsk,
): Promise<void> {
  await tx
    .update(toolCalls)
    .set({ state: 'again' })
    .where(
      and(
        eq(toolCalls.executionId, executionId),
        eq(toolCalls.position, position),
        eq(toolCalls.item, unsure?.item ?? ONCE),
      ),
    )
}

/** An item whose call happened has ended with the answer; the step goes on with the others. */
export async function storeItemAnswer(
  tx: Transaction,
  { ask, index, output }: { ask: LockedAsk; index: number; output: string },
): Promise<void> {
  const { executionId, position, text, createdAt, input } = ask
  await tx
    .update(runItems)
    .set({
      status: 'completed',
      inputContent: text,
      inputSegments: [],
      resolved: input.resolved,
      aiResponse: output,
      error: null,
      errorCode: null,
      inputTokens: 0,
      outputTokens: 0,
      costNanos: 0,
      durationMs: 0,
      startedAt: createdAt,
      finishedAt: sql`now()`,
    })
    .where(
      and(eq(runItems.executionId, executionId), eq(runItems.position, position), eq(runItems.index, index)),
    )
}

/** The run waits for what is said of its next unsure call, or for a worker. */
export async function waitForNext(tx: Transaction, executionId: number): Promise<void> {
  const [next] = await tx
    .select()
    .from(asks)
    .where(and(eq(asks.executionId, executionId), eq(asks.status, 'open')))
    .orderBy(asc(asks.id))
    .limit(1)
  const waitingFor: WaitingFor | null = next
    ? {
        askId: next.id,
        title: next.title,
        since: next.createdAt.toISOString(),
        deadline: next.deadline.toISOString(),
        ...next.asked,
        unsure: true,
      }
    : null
  await tx
    .update(runs)
    .set({ waitingFor, ...(next === undefined && { leaseUntil: null }) })
    .where(eq(runs.id, executionId))
}

/** Of several asks of a run, which all are about unsure calls, the one by which people are told of all. */
export async function isWaitedFor(
  db: Executor,
  { id, executionId }: Pick<LockedAsk, 'id' | 'executionId'>,
): Promise<boolean> {
  const isFirst = sql`${runs.waitingFor} -> 'askId' = to_jsonb(${id}::integer)`
  const found = await db
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.id, executionId), isFirst))
  return found.length > 0
}

const CODE = 'tool_unsure'

/** Nobody said whether its calls happened, so the run fails. Returns the asks that were open. */
export async function failUnsure(
  tx: Transaction,
  { ask, error }: { ask: LockedAsk; error: string },
): Promise<number[]> {
  const { executionId, attempt, position, title, text, createdAt, input } = ask
  const ended = { status: 'failed' as const, error, errorCode: CODE, finishedAt: sql`now()` }
  const closed = await tx
    .update(asks)
    .set({ status: 'expired', closedAt: sql`now()` })
    .where(and(eq(asks.executionId, executionId), eq(asks.status, 'open')))
    .returning({ id: asks.id, unsure: asks.unsure })
  const items = closed.flatMap(({ unsure }) => unsure?.item ?? [])
  await tx
    .update(runItems)
    .set(ended)
    .where(
      and(
        eq(runItems.executionId, executionId),
        eq(runItems.position, position),
        inArray(runItems.index, items),
      ),
    )
  const isOnce = items.length === 0
  await tx
    .insert(runSteps)
    .values({
      executionId,
      attempt,
      position,
      title,
      model: '',
      outputVariableName: input.outputName,
      startedAt: createdAt,
      ...(isOnce && { inputContent: text, inputSegments: input.segments }),
      resolved: input.resolved,
      ...ended,
    })
    // The row of a step whose items are run again stays.
    .onConflictDoUpdate({ target: [runSteps.executionId, runSteps.position], set: ended })
  await tx
    .update(runs)
    .set({ ...ended, waitingFor: null, leaseUntil: null })
    .where(eq(runs.id, executionId))
  return closed.map(({ id }) => id)
}

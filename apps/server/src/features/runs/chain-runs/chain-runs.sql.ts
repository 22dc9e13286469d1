import { and, asc, eq, inArray, ne, not, notInArray, sql } from 'drizzle-orm'
import { runItems, runSteps, runs, toolCalls } from '../../../database/schema/index.ts'
import type { Database, Transaction } from '../../../database/statements/executor.ts'
import { indexesOf, itemValue, preparePlainForMany } from '../../../database/statements/plain-statement.ts'
import { newLease } from '../engine/leases.sql.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { type NewChainRun, raisedBy, startedRunColumns } from './started-run.sql.ts'

interface SeenRun {
  id: number
  attempt: number
}

interface CreatedRun {
  id: number
  executedAt: Date
}

function createdAs({ db, index }: { db: Database; index: number }) {
  const value = (name: keyof NewChainRun) => itemValue<NewChainRun>(name, index)
  return db.$with(`created_${index}`).as(
    db
      .insert(runs)
      .overridingSystemValue()
      .values({
        id: sql`coalesce(${value('id')}::integer, nextval(pg_get_serial_sequence('executions', 'id')))`,
        ...startedRunColumns(value),
        endsWithProcess: value('endsWithProcess'),
        leaseUntil: sql`case when ${value('attempt')}::integer > 0 then ${newLease} end`,
      })
      // A run that brings its id may be created again: the answer to the first time may be lost with its connection.
      .onConflictDoUpdate({
        target: runs.id,
        set: { attempt: sql`excluded.attempt` },
        setWhere: and(
          eq(runs.status, 'running'),
          eq(runs.attempt, sql`excluded.attempt`),
          eq(runs.userId, sql`excluded.user_id`),
          eq(runs.chainId, sql`excluded.chain_id`),
        ),
      })
      .returning({ id: runs.id, executedAt: runs.executedAt }),
  )
}

export function prepareCreateChainRuns(db: Database): (runs: NewChainRun[]) => Promise<CreatedRun[]> {
  const create = preparePlainForMany<NewChainRun, { index: number; id: number; executed_at: Date }>({
    db,
    name: 'create_chain_runs',
    queryFor: (count) => {
      const created = indexesOf(count).map((index) => createdAs({ db, index }))
      const rows = created.map(
        (_, index) => sql`select ${sql.raw(`${index} as index, id, executed_at from created_${index}`)}`,
      )
      return db
        .with(...created)
        .select({ index: sql`index`, id: sql`id`, executedAt: sql`executed_at` })
        .from(sql`(${sql.join(rows, sql` union all `)}) as created`)
    },
  })
  return async (runs) => {
    const byIndex = new Map((await create(runs)).map((row) => [row.index, row]))
    return runs.map((_, index) => {
      const row = byIndex.get(index)
      if (row === undefined) throw new Error('The insert returned no row')
      return { id: row.id, executedAt: row.executed_at }
    })
  }
}

/** One that waits for a worker, within a transaction. */
export async function insertWaitingRun(tx: Transaction, run: NewChainRun & { id: number }): Promise<Date> {
  const value = (name: keyof NewChainRun) => {
    const given = run[name]
    return sql`${typeof given === 'object' && given !== null ? JSON.stringify(given) : given}`
  }
  const [inserted] = await tx
    .insert(runs)
    .overridingSystemValue()
    .values({ id: run.id, ...startedRunColumns(value), endsWithProcess: run.endsWithProcess })
    .returning({ executedAt: runs.executedAt })
  if (inserted === undefined) throw new Error('The insert returned no row')
  return inserted.executedAt
}

type Ended = 'completed' | 'failed' | 'cancelled'

/** Locked, with its completed steps; undefined if the run is running, or was resumed since that attempt. */
export async function lockEndedChainRun(
  tx: Transaction,
  { id, attempt, ended = ['failed', 'cancelled'] }: SeenRun & { ended?: Ended[] },
) {
  const [run] = await tx
    .select({
      executedAt: runs.executedAt,
      chainName: runs.chainName,
      chainVersion: runs.chainVersion,
      chainLabel: runs.chainLabel,
      plan: runs.plan,
      variableValues: runs.variableValues,
    })
    .from(runs)
    .where(
      and(
        eq(runs.id, id),
        eq(runs.attempt, attempt),
        eq(runs.kind, 'chain'),
        inArray(runs.status, ended),
        eq(runs.textsDeleted, false),
      ),
    )
    .for('update')
  if (run === undefined) return undefined
  const completed = await tx
    .select({
      position: runSteps.position,
      aiResponse: runSteps.aiResponse,
      skipReason: runSteps.skipReason,
    })
    .from(runSteps)
    .where(and(eq(runSteps.executionId, id), eq(runSteps.status, 'completed')))
    .orderBy(asc(runSteps.position))
  return { ...run, plan: run.plan as PlannedStep[], completed }
}

export interface ResumedRun extends SeenRun {
  chainName: string | null
  chainVersion: number | null
  plan: PlannedStep[]
  privateValues: boolean
  output: string | null
  /** It goes on in this process at once, and ends with it; else it waits for a worker. */
  isAttached?: boolean
  /** The step that has completed and is run again for its failed items. */
  again?: number | undefined
  /** Steps whose lists are others now. */
  otherLists?: number[]
  /** Steps that stand where another stood, or that have another list: what was called there says nothing of them. */
  otherCalls?: number[]
}

/**
 * Whoever resumes a run has it send again what failed. Of a call that ended otherwise nobody knows whether it happened:
 * it stays, so that the run asks.
 */
async function forgetRefusedCalls(
  tx: Transaction,
  { id, otherCalls = [] }: Pick<ResumedRun, 'id' | 'otherCalls'>,
): Promise<void> {
  const hasFailed = sql`exists (
      select from execution_steps as step where step.execution_id = ${id} and step.position = ${toolCalls.position}
        and step.error_code = 'tool_failed' and ${toolCalls.item} < 0
    ) or exists (
      select from execution_items as one where one.execution_id = ${id} and one.position = ${toolCalls.position}
        and one.index = ${toolCalls.item} and one.error_code = 'tool_failed'
    )`
  await tx
    .delete(toolCalls)
    .where(
      and(eq(toolCalls.executionId, id), sql`(${inArray(toolCalls.position, otherCalls)} or ${hasFailed})`),
    )
}

/** Makes an ended run go on, under the next attempt; without steps to run it is complete. */
export async function reopenChainRun(
  tx: Transaction,
  {
    id,
    attempt,
    output,
    privateValues,
    again,
    otherLists,
    otherCalls,
    isAttached = false,
    ...resumed
  }: ResumedRun,
): Promise<void> {
  await forgetRefusedCalls(tx, { id, otherCalls })
  if (resumed.plan.some(({ forEach }) => forEach)) await reopenItems(tx, { id, again, otherLists })
  else await tx.delete(runSteps).where(and(eq(runSteps.executionId, id), ne(runSteps.status, 'completed')))
  const next =
    output === null
      ? ({ status: 'running', finishedAt: null } as const)
      : ({ status: 'completed', output, finishedAt: sql`now()` } as const)
  await tx
    .update(runs)
    .set({
      ...next,
      ...resumed,
      stepCount: resumed.plan.length,
      privateValues: raisedBy(privateValues),
      // Incremented, so that an earlier worker can't write any more.
      attempt: attempt + 1,
      leaseUntil: isAttached && output === null ? newLease : null,
      endsWithProcess: isAttached,
      lostWorkers: 0,
      wouldLeave: null,
      error: null,
      errorCode: null,
      cancelRequestedAt: null,
    })
    .where(eq(runs.id, id))
}

/**
 * Items that have not completed are to be run again. The row of a step before others that have completed stays: those
 * carry what it took in.
 */
async function reopenItems(
  tx: Transaction,
  { id, again, otherLists = [] }: Pick<ResumedRun, 'id' | 'again' | 'otherLists'>,
): Promise<void> {
  const ofRun = eq(runSteps.executionId, id)
  if (again !== undefined)
    await tx
      .update(runSteps)
      .set({ status: 'running' })
      .where(and(ofRun, eq(runSteps.position, again)))
  const isLeft = and(ofRun, ne(runSteps.status, 'completed'))
  const isCarried = sql`exists (select from execution_steps as later where later.execution_id = ${id}
    and later.position > ${runSteps.position} and later.status = 'completed')`
  await tx.delete(runSteps).where(and(isLeft, not(isCarried)))
  await tx
    .update(runSteps)
    .set({ status: 'running', error: null, errorCode: null, skipReason: null })
    .where(isLeft)
  const ofItems = eq(runItems.executionId, id)
  if (otherLists.length > 0)
    await tx.delete(runItems).where(and(ofItems, inArray(runItems.position, otherLists)))
  const completed = tx
    .select({ position: runSteps.position })
    .from(runSteps)
    .where(and(ofRun, eq(runSteps.status, 'completed')))
  await tx
    .update(runItems)
    .set({ status: null, error: null, errorCode: null, aiResponse: null, retriedAt: sql`now()` })
    .where(
      and(
        ofItems,
        inArray(runItems.status, ['failed', 'cancelled']),
        notInArray(runItems.position, completed),
      ),
    )
}

export async function hasFailedItems(tx: Transaction, { id, position }: { id: number; position: number }) {
  const [found] = await tx
    .select({ index: runItems.index })
    .from(runItems)
    .where(and(eq(runItems.executionId, id), eq(runItems.position, position), eq(runItems.status, 'failed')))
    .limit(1)
  return found !== undefined
}

import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/executor.ts'
import { ownToken } from '../../../db/own-token.ts'
import { indexesOf, itemValue, preparePlainForMany } from '../../../db/plain-statement.ts'
import { newLease } from '../../../db/run-lease.ts'
import { executionSteps, executions } from '../../../db/schema/index.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { NewChainRun } from './new-chain-run.ts'

interface CreatedRun {
  id: number
  executedAt: Date
}

function createdAs({ db, index }: { db: Database; index: number }) {
  const value = (name: keyof NewChainRun) => itemValue<NewChainRun>(name, index)
  return db.$with(`created_${index}`).as(
    db
      .insert(executions)
      .overridingSystemValue()
      .values({
        id: sql`coalesce(${value('id')}::integer, nextval(pg_get_serial_sequence('executions', 'id')))`,
        kind: 'chain',
        userId: value('userId'),
        chainId: value('chainId'),
        chainName: value('chainName'),
        chainVersion: value('chainVersion'),
        chainLabel: value('chainLabel'),
        runsOpening: value('runsOpening'),
        privateValues: false,
        trigger: value('trigger'),
        apiTokenId: ownToken(value('apiTokenId')),
        apiCall: value('apiCall'),
        userInput: value('userInput'),
        variableValues: value('variableValues'),
        plan: value('plan'),
        stepCount: value('stepCount'),
        subscribers: value('subscribers'),
        attempt: value('attempt'),
        endsWithProcess: value('endsWithProcess'),
        leaseUntil: sql`case when ${value('attempt')}::integer > 0 then ${newLease} end`,
      })
      .returning({ id: executions.id, executedAt: executions.executedAt }),
  )
}

/** Prepared: writes runs in one statement, or none of them. */
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

/** A run of a chain that has failed or was stopped, locked for the transaction, with its completed steps. */
export async function lockEndedChainRun(tx: Transaction, id: number) {
  const [run] = await tx
    .select({
      attempt: executions.attempt,
      executedAt: executions.executedAt,
      chainName: executions.chainName,
      chainVersion: executions.chainVersion,
      chainLabel: executions.chainLabel,
      plan: executions.plan,
    })
    .from(executions)
    .where(
      and(
        eq(executions.id, id),
        eq(executions.kind, 'chain'),
        inArray(executions.status, ['failed', 'cancelled']),
        eq(executions.textsDeleted, false),
      ),
    )
    .for('update')
  if (run === undefined) return undefined
  const completed = await tx
    .select({ aiResponse: executionSteps.aiResponse })
    .from(executionSteps)
    .where(and(eq(executionSteps.executionId, id), eq(executionSteps.status, 'completed')))
    .orderBy(asc(executionSteps.position))
  return { ...run, plan: run.plan as PlannedStep[], completed }
}

export interface ResumedRun {
  id: number
  /** Raised, so that whoever ran it before can't write any more. */
  attempt: number
  chainName: string | null
  chainVersion: number | null
  plan: PlannedStep[]
  /** What the completed steps came to, where no step is left to run. */
  output: string | null
}

/** Makes an ended run wait for a worker again; without steps to run it is complete. */
export async function resumeChainRun(tx: Transaction, { id, output, ...resumed }: ResumedRun): Promise<void> {
  await tx
    .delete(executionSteps)
    .where(and(eq(executionSteps.executionId, id), ne(executionSteps.status, 'completed')))
  const next =
    output === null
      ? ({ status: 'running', finishedAt: null } as const)
      : ({ status: 'completed', output, finishedAt: sql`now()` } as const)
  await tx
    .update(executions)
    .set({
      ...next,
      ...resumed,
      stepCount: resumed.plan.length,
      leaseUntil: null,
      endsWithProcess: false,
      lostWorkers: 0,
      error: null,
      errorCode: null,
      cancelRequestedAt: null,
    })
    .where(eq(executions.id, id))
}

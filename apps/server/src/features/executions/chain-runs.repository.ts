import type { ModelAlias } from '@catenary/contracts'
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/executor.ts'
import { executionSteps, executions } from '../../db/schema/index.ts'
import { LEASE_SECONDS } from './lease.ts'

const newLease = sql`now() + make_interval(secs => ${LEASE_SECONDS})`

/** What of the chain is kept with the run, beside its steps' rows. */
export interface ChainSnapshot {
  name: string
  revision: number
  steps: { id: number; temperature: number | null; maxTokens: number | null }[]
}

/** A step as it will run. */
export interface PlannedStep {
  position: number
  title: string
  model: ModelAlias
  promptId: number | null
  promptVersion: number | null
  template: string
  systemPrompt: string
  outputVariableName: string
}

export interface NewChainRun {
  userId: number
  chainId: number
  trigger: 'manual' | 'schedule' | 'token'
  apiTokenId: number | null
  userInput: string
  variableValues: Record<string, string>
  snapshot: ChainSnapshot
  /** 1 when this process runs it at once; 0: it waits for a worker. */
  attempt: 0 | 1
  steps: PlannedStep[]
}

const stepsOf = (json: unknown) => sql`
  json_to_recordset(${json}::json) as step(
    "position" integer, "title" text, "model" model_alias, "promptId" integer, "promptVersion" integer,
    "template" text, "systemPrompt" text, "outputVariableName" text
  )`

interface StepsOwner {
  id: unknown
  attempt: unknown
}

const insertSteps = ({ id, attempt }: StepsOwner) => sql`
  insert into ${executionSteps} (execution_id, attempt, position, title, model, prompt_id, prompt_version, template,
    system_prompt, output_variable_name)
  select ${id}, ${attempt}, "position", "title", "model", "promptId", "promptVersion", "template", "systemPrompt",
    "outputVariableName"
  from `

interface CreatedRun {
  id: number
  executedAt: Date
}

function createdAs({ db, index }: { db: Database; index: number }) {
  const value = (name: keyof NewChainRun) => sql.placeholder(`${name}_${index}`)
  const name = `created_${index}`
  const created = db.$with(name).as(
    db
      .insert(executions)
      .values({
        kind: 'chain',
        userId: value('userId'),
        chainId: value('chainId'),
        trigger: value('trigger'),
        apiTokenId: value('apiTokenId'),
        userInput: value('userInput'),
        variableValues: value('variableValues'),
        snapshot: value('snapshot'),
        attempt: value('attempt'),
        leaseUntil: sql`case when ${value('attempt')}::integer > 0 then ${newLease} end`,
      })
      .returning({ id: executions.id, attempt: executions.attempt, executedAt: executions.executedAt }),
  )
  const source = sql.identifier(name)
  const owner = { id: sql`${source}.id`, attempt: sql`${source}.attempt` }
  const steps = db
    .$with(`steps_${index}`, { executionId: sql<number>`execution_id` })
    .as(sql`${insertSteps(owner)} ${source}, ${stepsOf(value('steps'))} returning execution_id`)
  return {
    parts: [created, steps],
    row: sql`select ${index}::integer as index, id, executed_at from ${source}`,
  }
}

function prepareCreate({ db, count }: { db: Database; count: number }) {
  const runs = Array.from({ length: count }, (_, index) => createdAs({ db, index }))
  const rows = sql.join(
    runs.map(({ row }) => row),
    sql` union all `,
  )
  return db
    .with(...runs.flatMap(({ parts }) => parts))
    .select({
      index: sql<number>`index`,
      id: sql<number>`id`,
      executedAt: sql<Date>`executed_at`.mapWith(executions.executedAt),
    })
    .from(sql`(${rows}) as created`)
    .prepare(`create_${count}_chain_runs`)
}

/** Prepared for each number of runs: writes them with all of their steps in one statement, or nothing. */
export function prepareCreateChainRuns(db: Database): (runs: NewChainRun[]) => Promise<CreatedRun[]> {
  const prepared = new Map<number, ReturnType<typeof prepareCreate>>()
  return async (runs) => {
    const statement = prepared.get(runs.length) ?? prepareCreate({ db, count: runs.length })
    prepared.set(runs.length, statement)
    const rows = await statement.execute(toParameters(runs))
    const byIndex = new Map(rows.map((row) => [row.index, row]))
    return runs.map((_, index) => {
      const row = byIndex.get(index)
      if (row === undefined) throw new Error('The insert returned no row')
      return row
    })
  }
}

function toParameters(runs: NewChainRun[]): Record<string, unknown> {
  const entries = runs.flatMap((run, index) =>
    Object.entries({ ...run, steps: JSON.stringify(run.steps) }).map(([name, value]) => [
      `${name}_${index}`,
      value,
    ]),
  )
  return Object.fromEntries(entries)
}

/** A run of a chain that has failed or was stopped, locked for the transaction, with all of its steps. */
export async function lockEndedChainRun(tx: Transaction, id: number) {
  const [run] = await tx
    .select({
      attempt: executions.attempt,
      executedAt: executions.executedAt,
      snapshot: executions.snapshot,
    })
    .from(executions)
    .where(
      and(
        eq(executions.id, id),
        eq(executions.kind, 'chain'),
        inArray(executions.status, ['failed', 'cancelled']),
      ),
    )
    .for('update')
  if (run === undefined) return undefined
  const rows = await tx
    .select()
    .from(executionSteps)
    .where(eq(executionSteps.executionId, id))
    .orderBy(asc(executionSteps.position))
  const steps = rows.map(
    ({ template, outputVariableName, ...step }): PlannedStep => ({
      ...step,
      template: template ?? '',
      outputVariableName: outputVariableName ?? '',
    }),
  )
  const completed = rows.filter(({ status }) => status === 'completed')
  return { ...run, snapshot: run.snapshot as ChainSnapshot, steps, completed }
}

export interface ResumedRun {
  id: number
  /** Raised, so that whoever ran it before can't write any more. */
  attempt: number
  snapshot: ChainSnapshot
  /** In place of those that did not complete. */
  steps: PlannedStep[]
  /** What the completed steps came to: the run's, where no step is left. */
  output: string | null
}

/** Makes an ended run wait for a worker again; without steps to run it is complete. */
export async function resumeChainRun(
  tx: Transaction,
  { id, attempt, snapshot, steps, output }: ResumedRun,
): Promise<void> {
  await tx
    .delete(executionSteps)
    .where(and(eq(executionSteps.executionId, id), ne(executionSteps.status, 'completed')))
  await tx.update(executionSteps).set({ attempt }).where(eq(executionSteps.executionId, id))
  const owner = { id: sql`${id}::integer`, attempt: sql`${attempt}::integer` }
  await tx.execute(sql`${insertSteps(owner)} ${stepsOf(JSON.stringify(steps))}`)
  const next =
    steps.length > 0
      ? ({ status: 'running', finishedAt: null } as const)
      : ({ status: 'completed', output, finishedAt: sql`now()` } as const)
  await tx
    .update(executions)
    .set({
      ...next,
      attempt,
      snapshot,
      leaseUntil: null,
      error: null,
      errorCode: null,
      cancelRequestedAt: null,
    })
    .where(eq(executions.id, id))
}

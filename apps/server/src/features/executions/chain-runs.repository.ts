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

const insertSteps = (source: unknown) => sql`
  insert into ${executionSteps} (execution_id, position, title, model, prompt_id, prompt_version, template,
    system_prompt, output_variable_name)
  select ${source}, "position", "title", "model", "promptId", "promptVersion", "template", "systemPrompt",
    "outputVariableName"
  from `

/** Prepared: writes a run with all of its steps, or nothing. */
export function prepareCreateChainRun(db: Database) {
  const value = sql.placeholder
  const created = db.$with('created').as(
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
      .returning({ id: executions.id, executedAt: executions.executedAt }),
  )
  const steps = db
    .$with('steps', { executionId: sql<number>`execution_id` })
    .as(sql`${insertSteps(sql`created.id`)} created, ${stepsOf(value('steps'))} returning execution_id`)
  const prepared = db
    .with(created, steps)
    .select({ id: created.id, executedAt: created.executedAt })
    .from(created)
    .prepare('create_chain_run')
  return async (run: NewChainRun): Promise<{ id: number; executedAt: Date }> => {
    const [row] = await prepared.execute({ ...run, steps: JSON.stringify(run.steps) })
    if (row === undefined) throw new Error('The insert returned no row')
    return row
  }
}

/** A run of a chain that has failed or was stopped, locked for the transaction, with all of its steps. */
export async function lockEndedChainRun(tx: Transaction, id: number) {
  const [run] = await tx
    .select({ executedAt: executions.executedAt, snapshot: executions.snapshot })
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
  snapshot: ChainSnapshot
  /** In place of those that did not complete. */
  steps: PlannedStep[]
  /** What the completed steps came to: the run's, where no step is left. */
  output: string | null
}

/** Makes an ended run wait for a worker again; without steps to run it is complete. */
export async function resumeChainRun(
  tx: Transaction,
  { id, snapshot, steps, output }: ResumedRun,
): Promise<void> {
  await tx
    .delete(executionSteps)
    .where(and(eq(executionSteps.executionId, id), ne(executionSteps.status, 'completed')))
  await tx.execute(sql`${insertSteps(sql`${id}::integer`)} ${stepsOf(JSON.stringify(steps))}`)
  const next =
    steps.length > 0
      ? ({ status: 'running', finishedAt: null } as const)
      : ({ status: 'completed', output, finishedAt: sql`now()` } as const)
  await tx
    .update(executions)
    .set({ ...next, snapshot, leaseUntil: null, error: null, errorCode: null, cancelRequestedAt: null })
    .where(eq(executions.id, id))
}

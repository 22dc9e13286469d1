import type { ModelAlias } from '@catenary/contracts'
import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor } from '../../db/executor.ts'
import { executionSteps, executions, users } from '../../db/schema/index.ts'
import { LEASE_SECONDS } from './lease.ts'

export interface NewPromptRun {
  userId: number
  promptId: number
  promptVersion: number
  title: string
  model: ModelAlias
  userInput: string
  variableValues: Record<string, string>
  systemPrompt: string
  /** The edited copy; null when the stored text ran. */
  template: string | null
  inputContent: string
  inputSegments: unknown
  resolved: unknown
}

/** Prepared: writes a running execution with its one step, both or neither; gives its id. */
export function prepareCreatePromptRun(db: Database): (run: NewPromptRun) => Promise<number> {
  const value = sql.placeholder
  const created = db.$with('created').as(
    db
      .insert(executions)
      .values({
        kind: 'prompt',
        userId: value('userId'),
        promptId: value('promptId'),
        userInput: value('userInput'),
        variableValues: value('variableValues'),
        leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
      })
      .returning({ id: executions.id }),
  )
  const prepared = db
    .with(created)
    .insert(executionSteps)
    .values({
      executionId: sql`(select id from created)`,
      position: 0,
      status: 'running',
      promptId: value('promptId'),
      promptVersion: value('promptVersion'),
      title: value('title'),
      model: value('model'),
      systemPrompt: value('systemPrompt'),
      template: value('template'),
      inputContent: value('inputContent'),
      inputSegments: value('inputSegments'),
      resolved: value('resolved'),
      startedAt: sql`now()`,
    })
    .returning({ executionId: executionSteps.executionId })
    .prepare('create_prompt_run')
  return async (run) => {
    const [step] = await prepared.execute({ ...run })
    if (step === undefined) throw new Error('The insert returned no row')
    return step.executionId
  }
}

export interface FinishedRun {
  executionId: number
  status: 'completed' | 'failed' | 'cancelled'
  aiResponse: string
  error?: string | undefined
  errorCode?: string | undefined
  provider?: string | undefined
  modelId?: string | undefined
  retries?: number | undefined
  inputTokens?: number | null | undefined
  outputTokens?: number | null | undefined
  costNanos?: number | null | undefined
  firstTokenMs?: number | undefined
  durationMs: number
}

/** Ends a prompt's run and its step, once: nothing happens when it had ended, or was deleted, before. */
export async function finishPromptRun(executor: Executor, run: FinishedRun): Promise<void> {
  const { executionId, ...step } = run
  const { status, aiResponse, error, errorCode } = run
  const ended = executor.$with('ended').as(
    executor
      .update(executions)
      .set({ status, output: aiResponse, error, errorCode, leaseUntil: null, finishedAt: sql`now()` })
      .where(and(eq(executions.id, executionId), eq(executions.status, 'running')))
      .returning({ id: executions.id }),
  )
  await executor
    .with(ended)
    .update(executionSteps)
    .set({ ...step, finishedAt: sql`now()` })
    .from(ended)
    // By its value: a join is planned as a scan while the tables are small.
    .where(eq(executionSteps.executionId, executionId))
}

interface HistoryFilter {
  promptId: number
  /** Only this person's runs; undefined for everyone's. */
  userId: number | undefined
  before?: number | undefined
  limit: number
}

/** Runs of a prompt with their one step, newest first. */
export async function listPromptRuns(executor: Executor, filter: HistoryFilter) {
  const conditions: (SQL | undefined)[] = [
    eq(executions.kind, 'prompt'),
    eq(executions.promptId, filter.promptId),
    filter.userId === undefined ? undefined : eq(executions.userId, filter.userId),
    filter.before === undefined ? undefined : lt(executions.id, filter.before),
  ]
  return executor
    .select({ execution: executions, step: executionSteps, executedBy: users.displayUsername })
    .from(executions)
    .innerJoin(executionSteps, eq(executionSteps.executionId, executions.id))
    .innerJoin(users, eq(users.id, executions.userId))
    .where(and(...conditions))
    .orderBy(desc(executions.id))
    .limit(filter.limit)
}

export type PromptRunRow = Awaited<ReturnType<typeof listPromptRuns>>[number]

/** Deletes an execution with its steps. */
export async function deleteExecution(executor: Executor, id: number): Promise<void> {
  await executor.delete(executions).where(eq(executions.id, id))
}

/** Deletes one person's history of a prompt; returns the ids. */
export async function deletePromptRuns(
  executor: Executor,
  { promptId, userId }: { promptId: number; userId: number },
): Promise<number[]> {
  const deleted = await executor
    .delete(executions)
    .where(
      and(eq(executions.kind, 'prompt'), eq(executions.promptId, promptId), eq(executions.userId, userId)),
    )
    .returning({ id: executions.id })
  return deleted.map((row) => row.id)
}

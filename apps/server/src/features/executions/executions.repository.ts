import type { ModelAlias } from '@catenary/contracts'
import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { executionSteps, executions, users } from '../../db/schema/index.ts'

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
  resolved: unknown
  leaseUntil: Date
}

/** Writes a running execution of one step; returns its id. */
export async function createPromptRun(tx: Transaction, run: NewPromptRun): Promise<number> {
  const { userId, promptId, userInput, variableValues, leaseUntil, ...step } = run
  const [created] = await tx
    .insert(executions)
    .values({ kind: 'prompt', userId, promptId, userInput, variableValues, leaseUntil })
    .returning({ id: executions.id })
  if (created === undefined) throw new Error('insert returned no row')
  await tx.insert(executionSteps).values({
    ...step,
    executionId: created.id,
    promptId,
    position: 0,
    status: 'running',
    startedAt: sql`now()`,
  })
  return created.id
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

/** Ends a prompt's run, once: false when it had ended, or was deleted, before. */
export async function finishPromptRun(tx: Transaction, run: FinishedRun): Promise<boolean> {
  const { executionId, status, aiResponse, error, errorCode } = run
  const ended = await tx
    .update(executions)
    .set({ status, output: aiResponse, error, errorCode, leaseUntil: null, finishedAt: sql`now()` })
    .where(and(eq(executions.id, executionId), eq(executions.status, 'running')))
    .returning({ id: executions.id })
  if (ended.length === 0) return false
  const { executionId: _, ...step } = run
  await tx
    .update(executionSteps)
    .set({ ...step, finishedAt: sql`now()` })
    .where(eq(executionSteps.executionId, executionId))
  return true
}

export async function extendLeases(
  executor: Executor,
  { ids, until }: { ids: number[]; until: Date },
): Promise<void> {
  await executor.update(executions).set({ leaseUntil: until }).where(inArray(executions.id, ids))
}

/** Prompt runs whose process is gone: nobody extended their lease. */
export async function listAbandonedPromptRuns(executor: Executor, now: Date): Promise<number[]> {
  const rows = await executor
    .select({ id: executions.id })
    .from(executions)
    .where(
      and(eq(executions.status, 'running'), eq(executions.kind, 'prompt'), lt(executions.leaseUntil, now)),
    )
  return rows.map((row) => row.id)
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

interface OwnedExecutions {
  /** Only this person's runs; undefined for anyone's. */
  userId: number | undefined
}

/** Deletes one execution with its steps; false when there is none. */
export async function deleteExecution(
  executor: Executor,
  { id, userId }: OwnedExecutions & { id: number },
): Promise<boolean> {
  const owned = userId === undefined ? undefined : eq(executions.userId, userId)
  const deleted = await executor
    .delete(executions)
    .where(and(eq(executions.id, id), owned))
    .returning({ id: executions.id })
  return deleted.length > 0
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

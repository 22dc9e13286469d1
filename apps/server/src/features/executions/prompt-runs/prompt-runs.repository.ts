import type { ModelAlias } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import type { Database, Executor } from '../../../db/executor.ts'
import { executionSteps, executions } from '../../../db/schema/index.ts'
import { LEASE_SECONDS } from '../engine/lease.ts'

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

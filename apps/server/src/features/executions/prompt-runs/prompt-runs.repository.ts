import type { FinishReason } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../db/executor.ts'
import { indexesOf, itemValue, preparePlainForMany } from '../../../db/plain-statement.ts'
import { newLease } from '../../../db/run-lease.ts'
import { executionSteps, executions } from '../../../db/schema/index.ts'

export interface NewPromptRun {
  /** Reserved before, so that the run can be named while it is being recorded. */
  id: number
  userId: number
  promptId: number
  promptVersion: number
  title: string
  model: string
  userInput: string
  variableValues: Record<string, string>
  systemPrompt: string
  /** The edited copy; null when the stored text ran. */
  template: string | null
  inputContent: string
  inputSegments: unknown
  resolved: unknown
}

/** Prepared: writes running executions, each with its one step, all in one statement or none. */
export function prepareCreatePromptRuns(db: Database): (runs: NewPromptRun[]) => Promise<undefined[]> {
  const runOf = (index: number) => {
    const value = (name: keyof NewPromptRun) => itemValue<NewPromptRun>(name, index)
    return {
      id: value('id'),
      kind: 'prompt' as const,
      endsWithProcess: true,
      userId: value('userId'),
      promptId: value('promptId'),
      userInput: value('userInput'),
      variableValues: value('variableValues'),
      leaseUntil: newLease,
    }
  }
  const stepOf = (index: number) => {
    const value = (name: keyof NewPromptRun) => itemValue<NewPromptRun>(name, index)
    return {
      executionId: value('id'),
      position: 0,
      status: 'running' as const,
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
    }
  }
  const create = preparePlainForMany<NewPromptRun, object>({
    db,
    name: 'create_prompt_runs',
    queryFor: (count) => {
      const runs = db.insert(executions).overridingSystemValue().values(indexesOf(count).map(runOf))
      const created = db.$with('created').as(runs.returning({ id: executions.id }))
      return db.with(created).insert(executionSteps).values(indexesOf(count).map(stepOf))
    },
  })
  return async (runs) => {
    await create(runs)
    return runs.map(() => undefined)
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
  finishReason?: FinishReason | undefined
  retries?: number | undefined
  inputTokens?: number | null | undefined
  outputTokens?: number | null | undefined
  costNanos?: number | null | undefined
  firstTokenMs?: number | undefined
  durationMs: number
}

/** Prepared: ends prompts' runs with their steps, once: nothing happens to one that had ended, or was deleted, before. */
export function prepareFinishPromptRuns(db: Database): (runs: FinishedRun[]) => Promise<undefined[]> {
  const endedAs = (index: number) => {
    const value = (name: keyof FinishedRun) => itemValue<FinishedRun>(name, index)
    const id = value('executionId')
    const status = sql`${value('status')}::execution_status`
    const failure = { error: value('error'), errorCode: value('errorCode') }
    const ended = db.$with(`ended_${index}`).as(
      db
        .update(executions)
        .set({ ...failure, status, output: value('aiResponse'), leaseUntil: null, finishedAt: sql`now()` })
        .where(and(eq(executions.id, id), eq(executions.status, 'running')))
        .returning({ id: executions.id }),
    )
    const step = db.$with(`step_${index}`).as(
      db
        .update(executionSteps)
        .set({
          ...failure,
          status,
          aiResponse: value('aiResponse'),
          provider: value('provider'),
          modelId: value('modelId'),
          finishReason: value('finishReason'),
          retries: sql`coalesce(${value('retries')}::integer, 0)`,
          inputTokens: value('inputTokens'),
          outputTokens: value('outputTokens'),
          costNanos: value('costNanos'),
          firstTokenMs: value('firstTokenMs'),
          durationMs: value('durationMs'),
          finishedAt: sql`now()`,
        })
        .from(ended)
        // By its value: a join is planned as a scan while the tables are small.
        .where(eq(executionSteps.executionId, id))
        .returning({ id: executionSteps.executionId }),
    )
    return [ended, step]
  }
  const finish = preparePlainForMany<FinishedRun, object>({
    db,
    name: 'finish_prompt_runs',
    queryFor: (count) =>
      db
        .with(...indexesOf(count).flatMap(endedAs))
        .select({ count: sql`${count}::integer` })
        .from(sql`(select) as ended`),
  })
  return async (runs) => {
    await finish(runs)
    return runs.map(() => undefined)
  }
}

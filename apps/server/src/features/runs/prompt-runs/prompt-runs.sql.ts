import type { AskedSettings, FinishReason, StepFallback, StructuredAnswer, Turn } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import { type KeptRow, toKeptRow } from '../../../database/schema/columns.ts'
import { runSteps, runs } from '../../../database/schema/index.ts'
import type { Database } from '../../../database/statements/executor.ts'
import {
  indexesOf,
  itemValue,
  preparePlainForMany,
  underKeys,
} from '../../../database/statements/plain-statement.ts'
import type { ApiCall } from '../engine/api-call.ts'
import { newLease } from '../engine/leases.sql.ts'
import { ownToken } from '../engine/own-token.sql.ts'

export interface NewPromptRun {
  id: number
  userId: number
  promptId: number
  promptVersion: number
  title: string
  trigger: 'manual' | 'token' | 'evaluation'
  apiTokenId: number | null
  apiCall: ApiCall | null
  model: string
  userInput: string
  variableValues: Record<string, string>
  systemPrompt: string
  messages: Turn[] | null
  settings: AskedSettings | null
  /** The edited copy; null when the stored text ran. */
  template: string | null
  inputContent: string
  inputSegments: unknown
  resolved: unknown
  attachments: unknown
  /** Null: its text came rendered, so its values are unknown. */
  privateValues: boolean | null
  subscribers: Record<string, string> | null
  executedAt: Date
}

/** The prompt as long as it is there: it may have been deleted since the run began. */
const promptOf = (index: number) =>
  sql`(select id from prompts where id = ${itemValue<NewPromptRun>('promptId', index)}::integer)`

function startedRunColumns(index: number) {
  const value = (name: keyof NewPromptRun) => itemValue<NewPromptRun>(name, index)
  return {
    id: value('id'),
    kind: 'prompt' as const,
    endsWithProcess: true,
    userId: value('userId'),
    promptId: promptOf(index),
    trigger: sql`${value('trigger')}::execution_trigger`,
    apiTokenId: ownToken(value('apiTokenId')),
    apiCall: value('apiCall'),
    userInput: value('userInput'),
    variableValues: value('variableValues'),
    privateValues: value('privateValues'),
    subscribers: value('subscribers'),
    executedAt: value('executedAt'),
  }
}

function startedStep(index: number) {
  const value = (name: keyof NewPromptRun) => itemValue<NewPromptRun>(name, index)
  return {
    executionId: value('id'),
    position: 0,
    promptId: promptOf(index),
    promptVersion: value('promptVersion'),
    title: value('title'),
    model: value('model'),
    systemPrompt: value('systemPrompt'),
    messages: sql`${value('messages')}::jsonb`,
    settings: sql`${value('settings')}::json`,
    template: value('template'),
    inputContent: value('inputContent'),
    inputSegments: value('inputSegments'),
    resolved: value('resolved'),
    attachments: value('attachments'),
    startedAt: value('executedAt'),
  }
}

/** Prepared: writes running executions, each with its one step, all in one statement or none; tells whose prompt is there. */
export function prepareCreatePromptRuns(db: Database): (runs: NewPromptRun[]) => Promise<boolean[]> {
  const create = preparePlainForMany<NewPromptRun, { id: number; promptId: number | null }>({
    db,
    name: 'create_prompt_runs',
    queryFor: (count) => {
      const all = indexesOf(count)
      const running = all.map((index) => ({ ...startedRunColumns(index), leaseUntil: newLease }))
      const inserted = db.insert(runs).overridingSystemValue().values(running)
      const created = db.$with('created').as(inserted.returning({ id: runs.id }))
      const steps = all.map((index) => ({ ...startedStep(index), status: 'running' as const }))
      return db
        .with(created)
        .insert(runSteps)
        .values(steps)
        .returning(underKeys({ id: runSteps.executionId, promptId: runSteps.promptId }))
    },
  })
  return async (runs) => {
    const created = await create(runs)
    const there = new Set(created.flatMap(({ id, promptId }) => (promptId === null ? [] : id)))
    return runs.map(({ id }) => there.has(id))
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
  limitWaitMs: number
  fallback?: StepFallback | null
  structured?: StructuredAnswer | null
  inputTokens?: number | null | undefined
  outputTokens?: number | null | undefined
  cachedTokens?: number | null | undefined
  costNanos?: number | null | undefined
  savedNanos?: number | null | undefined
  firstTokenMs?: number | undefined
  durationMs: number
}

function failureOf(index: number) {
  const value = (name: keyof FinishedRun) => itemValue<FinishedRun>(name, index)
  return {
    status: sql`${value('status')}::execution_status`,
    error: value('error'),
    errorCode: value('errorCode'),
    finishedAt: sql`now()`,
  }
}

function answerOf(index: number) {
  const value = (name: keyof FinishedRun) => itemValue<FinishedRun>(name, index)
  return {
    aiResponse: value('aiResponse'),
    provider: value('provider'),
    modelId: value('modelId'),
    finishReason: value('finishReason'),
    retries: sql`coalesce(${value('retries')}::integer, 0)`,
    limitWaitMs: value('limitWaitMs'),
    fallback: sql`${value('fallback')}::jsonb`,
    structured: sql`${value('structured')}::jsonb`,
    inputTokens: value('inputTokens'),
    outputTokens: value('outputTokens'),
    cachedTokens: value('cachedTokens'),
    costNanos: value('costNanos'),
    savedNanos: value('savedNanos'),
    firstTokenMs: value('firstTokenMs'),
    durationMs: value('durationMs'),
  }
}

export function prepareStoreWholePromptRuns(
  db: Database,
): (runs: (NewPromptRun & FinishedRun)[]) => Promise<undefined[]> {
  const insert = preparePlainForMany<KeptRow<NewPromptRun & FinishedRun>, object>({
    db,
    name: 'store_whole_prompt_runs',
    queryFor: (count) => {
      const all = indexesOf(count)
      const ended = all.map((index) => ({
        ...startedRunColumns(index),
        ...failureOf(index),
        output: itemValue<FinishedRun>('aiResponse', index),
      }))
      const inserted = db.insert(runs).overridingSystemValue().values(ended)
      const stored = db.$with('stored').as(inserted.returning({ id: runs.id }))
      const steps = all.map((index) => ({ ...startedStep(index), ...failureOf(index), ...answerOf(index) }))
      return db.with(stored).insert(runSteps).values(steps)
    },
  })
  return async (runs) => {
    await insert(runs.map(toKeptRow))
    return runs.map(() => undefined)
  }
}

/** Prepared: ends prompts' runs with their steps, once: nothing happens to one that had ended, or was deleted, before. */
export function prepareFinishPromptRuns(db: Database): (runs: FinishedRun[]) => Promise<undefined[]> {
  const endedAs = (index: number) => {
    const value = (name: keyof FinishedRun) => itemValue<FinishedRun>(name, index)
    const id = value('executionId')
    const ended = db.$with(`ended_${index}`).as(
      db
        .update(runs)
        .set({ ...failureOf(index), output: value('aiResponse'), leaseUntil: null })
        .where(and(eq(runs.id, id), eq(runs.status, 'running')))
        .returning({ id: runs.id }),
    )
    const step = db.$with(`step_${index}`).as(
      db
        .update(runSteps)
        .set({ ...failureOf(index), ...answerOf(index) })
        .from(ended)
        // By its value: a join is planned as a scan while the tables are small.
        .where(eq(runSteps.executionId, id))
        .returning({ id: runSteps.executionId }),
    )
    return [ended, step]
  }
  const finish = preparePlainForMany<KeptRow<FinishedRun>, object>({
    db,
    name: 'finish_prompt_runs',
    queryFor: (count) =>
      db
        .with(...indexesOf(count).flatMap(endedAs))
        .select({ count: sql`${count}::integer` })
        .from(sql`(select) as ended`),
  })
  return async (runs) => {
    await finish(runs.map(toKeptRow))
    return runs.map(() => undefined)
  }
}

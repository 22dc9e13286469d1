import type {
  AskedSettings,
  InputSegment,
  RunAttachment,
  StepFallback,
  StructuredAnswer,
  Turn,
  ValueOrigin,
} from '@catenary/contracts'
import { and, eq, getTableColumns, ne, type SQL, sql, type WithSubquery } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { toKeptRow } from '../../../database/schema/columns.ts'
import { runSteps, runs } from '../../../database/schema/index.ts'
import type { Database, Transaction } from '../../../database/statements/executor.ts'
import { indexesOf, itemValue, preparePlainForMany } from '../../../database/statements/plain-statement.ts'
import { violatedConstraint } from '../../../database/statements/violated-constraint.ts'
import type { StepAnswered } from '../engine/answer-cut.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { usesPrivateValues } from '../engine/private-values.ts'
import type { RunUsage } from '../engine/run-ending.ts'
import { type NewChainRun, raisedBy, startedRunColumns } from './started-run.sql.ts'

/** The attempt under which a run is written: a worker that lost it can't write any more. */
export interface Claim {
  executionId: number
  attempt: number
}

export interface StepEnd {
  step: PlannedStep
  startedAt: Date | null
  systemPrompt: string
  messages: Turn[] | null
  settings: AskedSettings | null
  inputContent: string | null
  inputSegments: InputSegment[]
  resolved: Record<string, ValueOrigin>
  attachments?: RunAttachment[] | null
  aiResponse: string | null
  retries: number
  limitWaitMs: number
  durationMs: number | null
  inputTokens?: number | null
  outputTokens?: number | null
  cachedTokens?: number | null
  costNanos?: number | null
  savedNanos?: number | null
  structured?: StructuredAnswer | null
  answered?: StepAnswered
}

export interface CompletedStep extends StepEnd {
  aiResponse: string
  provider: string
  modelId: string
  finishReason: StepAnswered['finishReason']
  fallback: StepFallback | null
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  costNanos: number | null
  savedNanos: number | null
  firstTokenMs: number
}

function toPlanColumns({ position, title, model, ...step }: PlannedStep) {
  const { promptId, promptVersion, outputVariableName } = step
  return { position, title, model, promptId, promptVersion, outputVariableName }
}

function toRow({ step, ...end }: Claim & CompletedStep) {
  return { ...toPlanColumns(step), ...toKeptRow(end), privateValues: usesPrivateValues(end.resolved) }
}

type CompletedRow = ReturnType<typeof toRow>

function valuesOf(
  index: number,
): Record<Exclude<keyof CompletedRow, 'privateValues' | 'answered'> | 'status' | 'finishedAt', SQL> {
  const value = (name: keyof CompletedRow) => itemValue<CompletedRow>(name, index)
  return {
    executionId: value('executionId'),
    attempt: value('attempt'),
    position: value('position'),
    status: sql`'completed'`,
    title: value('title'),
    model: value('model'),
    promptId: value('promptId'),
    promptVersion: value('promptVersion'),
    systemPrompt: value('systemPrompt'),
    messages: value('messages'),
    settings: value('settings'),
    outputVariableName: value('outputVariableName'),
    startedAt: value('startedAt'),
    finishedAt: sql`now()`,
    inputContent: value('inputContent'),
    inputSegments: value('inputSegments'),
    resolved: value('resolved'),
    attachments: value('attachments'),
    aiResponse: value('aiResponse'),
    retries: value('retries'),
    limitWaitMs: value('limitWaitMs'),
    durationMs: value('durationMs'),
    provider: value('provider'),
    modelId: value('modelId'),
    fallback: value('fallback'),
    structured: value('structured'),
    finishReason: value('finishReason'),
    inputTokens: value('inputTokens'),
    outputTokens: value('outputTokens'),
    cachedTokens: value('cachedTokens'),
    costNanos: value('costNanos'),
    savedNanos: value('savedNanos'),
    firstTokenMs: value('firstTokenMs'),
  }
}

/** Whether each step is stored; not where another worker has the run by now. One step may be stored again. */
type StoreSteps = (steps: (Claim & CompletedStep)[]) => Promise<boolean[]>

function prepareStore(
  db: Database,
  { name, changeRun }: { name: string; changeRun: (index: number) => WithSubquery },
): StoreSteps {
  const insert = preparePlainForMany<CompletedRow, object>({
    db,
    name,
    queryFor: (count) =>
      db
        .with(...indexesOf(count).map(changeRun))
        .insert(runSteps)
        .values(indexesOf(count).map(valuesOf)),
  })
  return async (steps) => {
    try {
      await insert(steps.map(toRow))
      return steps.map(() => true)
    } catch (error) {
      const [only] = steps
      if (only === undefined || steps.length > 1) throw error
      const violated = violatedConstraint(error)
      if (violated === 'execution_steps_run') return [false]
      if (violated === 'execution_steps_execution_id_position_pk') return [await isStored(db, only)]
      throw error
    }
  }
}

async function isStored(db: Database, { executionId, attempt, step }: Claim & StepEnd): Promise<boolean> {
  const rows = await db
    .select({ attempt: runSteps.attempt })
    .from(runSteps)
    .where(
      and(
        eq(runSteps.executionId, executionId),
        eq(runSteps.position, step.position),
        eq(runSteps.attempt, attempt),
      ),
    )
  return rows.length > 0
}

export function prepareStoreSteps(db: Database): StoreSteps {
  const raise = (index: number) => {
    const value = (name: keyof CompletedRow) => itemValue<CompletedRow>(name, index)
    return db.$with(`raised_${index}`).as(
      db
        .update(runs)
        .set({ privateValues: true })
        .where(
          and(
            eq(runs.id, value('executionId')),
            eq(runs.attempt, value('attempt')),
            eq(runs.privateValues, false),
            sql`${value('privateValues')}::boolean`,
          ),
        )
        .returning({ id: runs.id }),
    )
  }
  return prepareStore(db, { name: 'store_steps', changeRun: raise })
}

export function prepareStoreLastSteps(db: Database): StoreSteps {
  const endOf = (index: number) => {
    const { executionId, attempt, aiResponse } = valuesOf(index)
    return db.$with(`ended_${index}`).as(
      db
        .update(runs)
        .set({
          status: 'completed',
          output: aiResponse,
          leaseUntil: null,
          finishedAt: sql`now()`,
          privateValues: raisedBy(itemValue<CompletedRow>('privateValues', index)),
        })
        .where(and(eq(runs.id, executionId), eq(runs.attempt, attempt)))
        .returning({ id: runs.id }),
    )
  }
  return prepareStore(db, { name: 'store_last_steps', changeRun: endOf })
}

export interface WholeRun extends Omit<NewChainRun, 'id' | 'attempt' | 'endsWithProcess'>, Claim, StepEnd {
  executedAt: Date
  status: 'completed' | 'failed' | 'cancelled'
  error: string | null
  errorCode: string | null
  finishReason?: StepAnswered['finishReason']
}

const toWholeRow = ({ step, ...ended }: WholeRun) => ({
  ...toPlanColumns(step),
  ...toKeptRow(ended),
  privateValues: ended.privateValues || usesPrivateValues(ended.resolved),
})

type WholeRow = ReturnType<typeof toWholeRow>

/** Prepared: writes ended runs of one step with their steps, all in one statement. One run may be stored again. */
export function prepareStoreWholeRuns(db: Database): (runs: WholeRun[]) => Promise<true[]> {
  const ending = (index: number) => ({
    status: sql`${itemValue<WholeRow>('status', index)}::execution_status`,
    error: itemValue<WholeRow>('error', index),
    errorCode: itemValue<WholeRow>('errorCode', index),
  })
  const runOf = (index: number) => {
    const value = (name: keyof WholeRow) => itemValue<WholeRow>(name, index)
    return {
      ...ending(index),
      id: value('executionId'),
      ...startedRunColumns(value),
      output: value('aiResponse'),
      endsWithProcess: true,
      executedAt: value('executedAt'),
      finishedAt: sql`now()`,
    }
  }
  const insert = preparePlainForMany<WholeRow, object>({
    db,
    name: 'store_whole_runs',
    queryFor: (count) => {
      const inserted = db.insert(runs).overridingSystemValue().values(indexesOf(count).map(runOf))
      const stored = db.$with('stored').as(inserted.returning({ id: runs.id }))
      const steps = indexesOf(count).map((index) => ({ ...valuesOf(index), ...ending(index) }))
      return db.with(stored).insert(runSteps).values(steps)
    },
  })
  return async (runs) => {
    try {
      await insert(runs.map(toWholeRow))
    } catch (error) {
      if (runs.length > 1 || violatedConstraint(error) !== 'executions_pkey') throw error
    }
    return runs.map(() => true)
  }
}

/** A step that is stored by itself: it was skipped, ends its run, or asked for each item of a list. */
export interface StepApart extends Claim {
  end: StepEnd
  /** null: it was not skipped. */
  skipReason: string | null
  used?: { error: string; errorCode: string } & Partial<RunUsage> & Partial<StepAnswered>
  /** The run's output, which ends with it; null: it goes on. */
  output: string | null
}

/** False where another worker has the run by now. One step may be stored again. */
export async function storeStepApart(
  tx: Transaction,
  { executionId, attempt, end, skipReason, used, output }: StepApart,
): Promise<boolean> {
  const { step, answered: _, ...known } = end
  const ending =
    output === null
      ? {}
      : ({ status: 'completed', output, leaseUntil: null, finishedAt: sql`now()` } as const)
  const held = await tx
    .update(runs)
    .set({ ...ending, privateValues: raisedBy(usesPrivateValues(end.resolved)) })
    .where(and(eq(runs.id, executionId), eq(runs.attempt, attempt)))
    .returning({ id: runs.id })
  if (held.length === 0) return false
  const row = {
    executionId,
    attempt,
    ...toPlanColumns(step),
    ...(used ? {} : NOTHING_USED),
    ...known,
    ...used,
  }
  await tx
    .insert(runSteps)
    .values({ ...row, skipReason, status: 'completed', finishedAt: sql`now()` })
    .onConflictDoUpdate(inPlace)
  return true
}

/** Of what failed it may be unknown. */
const NOTHING_USED = { inputTokens: 0, outputTokens: 0, costNanos: 0 }

const { executionId: _id, position: _position, ...ofStep } = getTableColumns(runSteps)

/** A step stands in the place of its row from before its items were run again, if there is one. */
const inPlace = {
  target: [runSteps.executionId, runSteps.position],
  set: {
    ...Object.fromEntries(
      Object.keys(ofStep).map((name) => [name, sql`excluded.${sql.identifier(toSnakeCase(name))}`]),
    ),
    // What it took in then stands in what later steps made of it.
    resolved: sql`coalesce(${runSteps.resolved}, '{}') || excluded.resolved`,
  },
  setWhere: ne(runSteps.status, 'completed'),
}

export interface EndedRun extends Claim {
  status: 'failed' | 'cancelled'
  error: string
  errorCode: string
  end?: StepEnd
  resolved?: StepEnd['resolved']
  /** Where its private values would have gone. */
  wouldLeave?: string[] | undefined
}

/** Ends a run without its last step; nothing happens when it was lost. */
export async function endChainRun(
  tx: Transaction,
  {
    executionId,
    attempt,
    status,
    error,
    errorCode,
    end,
    resolved = end?.resolved ?? {},
    wouldLeave = null,
  }: Omit<EndedRun, 'wouldLeave'> & { wouldLeave?: string[] | null | undefined },
): Promise<void> {
  const failure = { status, error, errorCode, finishedAt: sql`now()` }
  const ended = await tx
    .update(runs)
    .set({ ...failure, wouldLeave, leaseUntil: null, privateValues: raisedBy(usesPrivateValues(resolved)) })
    .where(and(eq(runs.id, executionId), eq(runs.attempt, attempt), eq(runs.status, 'running')))
    .returning({ id: runs.id })
  if (ended.length === 0 || end === undefined) return
  const { step, answered, ...known } = end
  const row = { executionId, attempt, ...toPlanColumns(step), ...known, ...answered, ...failure }
  await tx.insert(runSteps).values(row).onConflictDoUpdate(inPlace)
}

/** A step is about to be sent with a private value of which nothing was known at the start: from now on others learn no more of its run. */
export async function raisePrivateValues(db: Database, { executionId, attempt }: Claim): Promise<void> {
  await db
    .update(runs)
    .set({ privateValues: true })
    .where(and(eq(runs.id, executionId), eq(runs.attempt, attempt), eq(runs.privateValues, false)))
}

import type { InputSegment, ValueOrigin } from '@catenary/contracts'
import { and, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/executor.ts'
import { executionSteps, executions } from '../../db/schema/index.ts'

/** Under which a run is written: a worker that lost it changes nothing any more. */
export interface Claim {
  executionId: number
  attempt: number
}

/** What is known of a step when it ends, whichever way. */
export interface StepEnd {
  position: number
  startedAt: Date
  inputContent: string | null
  inputSegments: InputSegment[]
  resolved: Record<string, ValueOrigin>
  aiResponse: string
  retries: number
  durationMs: number
}

export interface CompletedStep extends StepEnd {
  provider: string
  modelId: string
  inputTokens: number | null
  outputTokens: number | null
  costNanos: number | null
  firstTokenMs: number
}

type Placed<Row> = { [Key in keyof Row]: ReturnType<typeof sql> }

/** Columns of a completed step, each from the placeholder of its name. */
function completedColumns(): Placed<Omit<CompletedStep, 'position'>> & { status: 'completed' } {
  const of = (name: keyof CompletedStep) => sql`${sql.placeholder(name)}`
  return {
    status: 'completed',
    startedAt: of('startedAt'),
    inputContent: of('inputContent'),
    inputSegments: of('inputSegments'),
    resolved: of('resolved'),
    aiResponse: of('aiResponse'),
    retries: of('retries'),
    durationMs: of('durationMs'),
    provider: of('provider'),
    modelId: of('modelId'),
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    costNanos: of('costNanos'),
    firstTokenMs: of('firstTokenMs'),
  }
}

const toParameters = ({ executionId, attempt, ...step }: Claim & CompletedStep) => ({
  executionId,
  attempt,
  ...step,
  startedAt: step.startedAt.toISOString(),
  inputSegments: JSON.stringify(step.inputSegments),
  resolved: JSON.stringify(step.resolved),
})

const underClaim = and(
  eq(executions.id, sql.placeholder('executionId')),
  eq(executions.attempt, sql.placeholder('attempt')),
)

/** By values: a join would be planned anew with the size of the tables, and scan them while they are small. */
const thisStep = and(
  eq(executionSteps.executionId, sql.placeholder('executionId')),
  eq(executionSteps.position, sql.placeholder('position')),
)

/** Prepared: completes a step that others follow. Says whether the person may go on; undefined: the run was lost. */
export function prepareFinishStep(db: Database) {
  const isActiveRunner = sql<boolean>`(
    select not (banned and (ban_expires is null or ban_expires > now())) from users
    where users.id = ${executions.userId}
  )`.as('is_active_runner')
  const held = db.$with('held').as(
    db
      .select({ isActiveRunner })
      .from(executions)
      .where(and(underClaim, eq(executions.status, 'running')))
      // Held until the commit: whoever takes the run over sees this step, or this step is refused.
      .for('share'),
  )
  const prepared = db
    .with(held)
    .update(executionSteps)
    .set({ ...completedColumns(), finishedAt: sql`now()`, error: null, errorCode: null })
    .from(held)
    .where(thisStep)
    .returning({ isActiveRunner: held.isActiveRunner })
    .prepare('finish_chain_step')
  return async (step: Claim & CompletedStep): Promise<boolean | undefined> => {
    const [row] = await prepared.execute(toParameters(step))
    return row?.isActiveRunner
  }
}

/** Prepared: completes the last step and with it the run; false: the run was lost. Written again, it stays the same. */
export function prepareFinishLastStep(db: Database) {
  const ended = db.$with('ended').as(
    db
      .update(executions)
      .set({
        status: 'completed',
        output: sql`${sql.placeholder('aiResponse')}`,
        error: null,
        errorCode: null,
        leaseUntil: null,
        finishedAt: sql`now()`,
      })
      .where(and(underClaim, sql`${executions.status} in ('running', 'completed')`))
      .returning({ id: executions.id }),
  )
  const prepared = db
    .with(ended)
    .update(executionSteps)
    .set({ ...completedColumns(), finishedAt: sql`now()`, error: null, errorCode: null })
    .from(ended)
    .where(thisStep)
    .returning({ id: executionSteps.id })
    .prepare('finish_last_chain_step')
  return async (step: Claim & CompletedStep): Promise<boolean> => {
    const rows = await prepared.execute(toParameters(step))
    return rows.length > 0
  }
}

export interface EndedRun extends Claim {
  status: 'completed' | 'failed' | 'cancelled'
  output?: string
  error: string | null
  errorCode: string | null
  /** The step that was under way. */
  step?: StepEnd
}

/** Ends a run before or without its last step; nothing happens when it was lost. */
export async function endChainRun(
  tx: Transaction,
  { executionId, attempt, status, output, error, errorCode, step }: EndedRun,
): Promise<void> {
  const ended = await tx
    .update(executions)
    .set({ status, output, error, errorCode, leaseUntil: null, finishedAt: sql`now()` })
    .where(
      and(eq(executions.id, executionId), eq(executions.attempt, attempt), eq(executions.status, 'running')),
    )
    .returning({ id: executions.id })
  if (ended.length === 0 || step === undefined) return
  await tx
    .update(executionSteps)
    .set({ ...step, status, error, errorCode, finishedAt: sql`now()` })
    .where(and(eq(executionSteps.executionId, executionId), eq(executionSteps.position, step.position)))
}

import { eq, sql } from 'drizzle-orm'
import { asks, runSteps, runs } from '../../../database/schema/index.ts'
import type { Transaction } from '../../../database/statements/executor.ts'
import type { LockedAsk } from './asks.sql.ts'

interface Answer {
  ask: LockedAsk
  ends: 'failed' | 'completed' | null
  error: string | null
  output: string
  closed: Pick<LockedAsk, 'status' | 'decision' | 'givenText' | 'reason' | 'answeredBy' | 'closedAt'>
}

const REJECTED = 'ask_rejected'

/** The answer, the step's row, and the run, which waits for a worker or has ended, all of a run that is locked. */
export async function storeAnswer(
  tx: Transaction,
  { ask, ends, error, output, closed }: Answer,
): Promise<void> {
  const { id, executionId, attempt, position, title, text, createdAt, input } = ask
  await tx.update(asks).set(closed).where(eq(asks.id, id))
  const failure = ends === 'failed' ? { error, errorCode: REJECTED } : {}
  const row = {
    attempt,
    title,
    status: ends === 'failed' ? 'failed' : 'completed',
    error: null,
    errorCode: null,
    ...failure,
    model: '',
    outputVariableName: input.outputName,
    startedAt: createdAt,
    finishedAt: sql`now()`,
    inputContent: text,
    inputSegments: input.segments,
    resolved: input.resolved,
    aiResponse: output,
    // Waiting costs nothing, and how long it took stands between its two times: days would not fit.
    inputTokens: 0,
    outputTokens: 0,
    costNanos: 0,
    durationMs: 0,
  } as const
  await tx
    .insert(runSteps)
    .values({ executionId, position, ...row })
    // Who is asked anew answers in the place of who was asked before.
    .onConflictDoUpdate({ target: [runSteps.executionId, runSteps.position], set: row })
  const isOver = sql`(${ends !== null}::boolean or ${runs.stepCount} = ${position + 1})`
  const status = ends === 'failed' ? 'failed' : 'completed'
  await tx
    .update(runs)
    .set({
      ...failure,
      waitingFor: null,
      leaseUntil: null,
      status: sql`case when ${isOver} then ${status}::execution_status else ${runs.status} end`,
      finishedAt: sql`case when ${isOver} then now() end`,
      ...(ends !== 'failed' && { output: sql`case when ${isOver} then ${output} else ${runs.output} end` }),
    })
    .where(eq(runs.id, executionId))
}

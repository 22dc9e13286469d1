import { sql } from 'drizzle-orm'
import { runSteps, runs, type TakenFrom } from '../../../database/schema/index.ts'
import type { Transaction } from '../../../database/statements/executor.ts'
import type { NewChainRun } from '../chain-runs/started-run.sql.ts'

export type { TakenFrom }

export type TakenStep = Omit<
  typeof runSteps.$inferInsert,
  'executionId' | 'attempt' | 'status' | 'inputTokens' | 'outputTokens' | 'costNanos' | 'finishedAt'
>

type TakenRun = Omit<
  NewChainRun,
  'chainLabel' | 'trigger' | 'apiTokenId' | 'apiCall' | 'attempt' | 'endsWithProcess'
> & { takenFrom: TakenFrom }

/** Whoever claims it then reads its steps: a first attempt is known to have none. */
const ATTEMPT = 1
const NO_COST = { inputTokens: 0, outputTokens: 0, costNanos: 0, durationMs: 0 }

/** A run that waits for a worker, with the steps that it takes over. They name no model that answered, so nothing is counted as spent. */
export async function insertTakenRun(
  tx: Transaction,
  { run: { id, ...run }, steps }: { run: TakenRun; steps: readonly TakenStep[] },
): Promise<{ id: number; executedAt: Date }> {
  const [started] = await tx
    .insert(runs)
    .overridingSystemValue()
    .values({
      ...run,
      id: sql`coalesce(${id}::integer, nextval(pg_get_serial_sequence('executions', 'id')))`,
      kind: 'chain',
      attempt: ATTEMPT,
    })
    .returning({ id: runs.id, executedAt: runs.executedAt })
  if (started === undefined) throw new Error('The insert returned no row')
  const { id: executionId, executedAt } = started
  if (steps.length > 0) {
    const ended = { executionId, attempt: ATTEMPT, status: 'completed', finishedAt: sql`now()` } as const
    await tx.insert(runSteps).values(steps.map((step) => ({ ...NO_COST, ...step, ...ended })))
  }
  return { id: executionId, executedAt }
}

import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { asks, runs, type ShownCall } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { RenderedStep } from '../engine/step-templates.ts'

export type { ShownCall }

export interface AskedStep extends Pick<RenderedStep, 'text' | 'resolved'> {
  asked: PlannedStep & Required<Pick<PlannedStep, 'ask'>>
  calls: ShownCall[] | null
}

/** The steps of a run that have been answered, each with what it asked last. */
export async function listAskedSteps(db: Executor, executionId: number): Promise<AskedStep[]> {
  const rows = await db
    .select({
      position: asks.position,
      text: asks.text,
      calls: asks.calls,
      input: asks.input,
      plan: runs.plan,
    })
    .from(asks)
    .innerJoin(runs, eq(runs.id, asks.executionId))
    .where(
      and(
        eq(asks.executionId, executionId),
        isNull(asks.unsure),
        inArray(asks.status, ['answered', 'expired']),
      ),
    )
    .orderBy(asc(asks.id))
  const last = new Map(rows.map((row) => [row.position, row]))
  return [...last.values()].flatMap(({ position, text, calls, input: { resolved }, plan }) => {
    const step = (plan as PlannedStep[] | null)?.find((one) => one.position === position)
    return step?.ask ? [{ asked: { ...step, ask: step.ask }, text, calls, resolved }] : []
  })
}

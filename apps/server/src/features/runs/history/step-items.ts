import { ITEMS_SHOWN, type ListedRunStep, type RunAccessLevel, type RunDetails } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { toListedItem } from './item-views.ts'
import { countItemsOfSteps, listFirstItems } from './run-items.sql.ts'
import type { StepRow } from './runs.sql.ts'

/** Of all steps of a run together, so that it stays a page. */
const SHOWN_OF_RUN = 100

interface WithItems {
  run: RunDetails
  rows: Pick<StepRow, 'position' | 'status' | 'settings' | 'finishedAt'>[]
  plan: PlannedStep[]
  access: RunAccessLevel
  /** Of a run that is too large to show in full how many there are, alone. */
  areListed: boolean
}

/** The run with the items of its steps, where it has such steps: how many there are, and the first of them. */
export async function withItems(
  ctx: Context,
  { run, rows, plan, access, areListed }: WithItems,
): Promise<RunDetails> {
  const positions = positionsOf({ rows, plan, access })
  if (positions.length === 0) return run
  const of = { executionId: run.id, positions }
  const counts = new Map((await countItemsOfSteps(ctx.db, of)).map((each) => [each.position, each]))
  const most = Math.min(ITEMS_SHOWN, Math.ceil(SHOWN_OF_RUN / positions.length))
  const listed = areListed ? await listFirstItems(ctx.db, { ...of, most }) : []
  const shown = Map.groupBy(listed, ({ position }) => position)
  const isLoop = new Set(rows.flatMap(({ position, settings }) => (settings?.forEach ? [position] : [])))
  const steps = run.steps.map((step): ListedRunStep => {
    const { position: _, retriedAt = null, ...itemCounts } = counts.get(step.position) ?? { position: 0 }
    if (!('all' in itemCounts))
      return isLoop.has(step.position) ? { ...step, itemCounts: NONE, ...(areListed && { items: [] }) } : step
    const keeps = retriedAt !== null && rows.some((row) => isKept({ row, step, retriedAt }))
    return {
      ...step,
      itemCounts,
      ...(areListed && {
        items: (shown.get(step.position) ?? []).map((row) => toListedItem({ row, step, access })),
      }),
      ...(retriedAt && { retriedAt: retriedAt.toISOString() }),
      ...(keeps && { laterStepsKept: true as const }),
    }
  })
  return { ...run, steps }
}

const NONE = { all: 0, completed: 0, skipped: 0, failed: 0 }

/**
 * Others see the items of a step once it has ended: what its items took in stands in its row, by which it is decided
 * what others see.
 */
function positionsOf({ rows, plan, access }: Pick<WithItems, 'rows' | 'plan' | 'access'>): number[] {
  const ended = rows.filter(({ status, settings }) => settings?.forEach && status !== 'running')
  const loops = plan.filter(({ forEach }) => forEach)
  return [...new Set([...ended, ...(access === 'own' ? loops : [])].map(({ position }) => position))]
}

function isKept({
  row,
  step,
  retriedAt,
}: {
  row: WithItems['rows'][number]
  step: ListedRunStep
  retriedAt: Date
}): boolean {
  const { position, status, finishedAt } = row
  return position > step.position && status === 'completed' && finishedAt !== null && finishedAt < retriedAt
}

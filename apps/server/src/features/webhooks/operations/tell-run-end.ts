import { type BudgetState, markCutRun } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import { findOptionalToldRun, type ToldRun } from '../told-runs.repository.ts'
import { runEndKey, runObject } from '../webhook-events.ts'
import type { WebhooksDeps } from '../webhooks-deps.ts'
import { tell } from './tell.ts'

/** As the end of a run is told. */
export interface EndedRun {
  /** Run and attempt. */
  key: string
  executionId: number
  status: 'completed' | 'failed' | 'cancelled' | 'deleted'
}

export type FindBudget = (user: { id: number }) => Promise<BudgetState | null>

/** Tells of a run, and of the budget that it may have used up. What was stopped or deleted by hand is not told. */
export async function tellRunEnd(
  deps: WebhooksDeps,
  { ended, findBudget }: { ended: EndedRun; findBudget: FindBudget },
): Promise<void> {
  const { db } = deps
  const run = await findOptionalToldRun(db, ended.executionId)
  if (run === undefined) return
  const { status } = ended
  const isTold = (status === 'completed' || status === 'failed') && run.trigger !== 'evaluation'
  if (isTold) {
    await db.transaction((tx) =>
      tell(deps, tx, {
        type: `run.${status}`,
        key: runEndKey(ended.key),
        object: runObject(run.id),
        audience: { userId: run.userId },
        data: { run: toRunData(run, ended) },
      }),
    )
  }
  if (deps.wanted.wants(run.userId, 'budget.near')) await tellBudget(deps, { userId: run.userId, findBudget })
}

/** Once a month and budget: one that was raised can come near again. */
async function tellBudget(
  deps: WebhooksDeps,
  { userId, findBudget }: { userId: number; findBudget: FindBudget },
): Promise<void> {
  const budget = await findBudget({ id: userId })
  if (budget === null || !budget.isNear) return
  const { budgetUsd, spentUsd } = budget
  const month = deps.now().toISOString().slice(0, 'YYYY-MM'.length)
  await deps.db.transaction((tx) =>
    tell(deps, tx, {
      type: 'budget.near',
      key: `budget:${month}:${budgetUsd}`,
      object: 'budget',
      audience: { userId },
      data: { month, budgetUsd, spentUsd },
    }),
  )
}

/** A run that was resumed since is told by what does not change. */
function toRunData(run: ToldRun, { key, status }: EndedRun) {
  const { id, kind, trigger, name, promptId, chainId, chainVersion, label, steps } = run
  const isAsItEnded = `${run.id}:${run.attempt}` === key && run.status === status
  const told = { id, kind, trigger, status, name, promptId, chainId, chainVersion, label, steps }
  const startedAt = run.executedAt.toISOString()
  if (!isAsItEnded) return { ...told, startedAt, wasResumed: true }
  return {
    ...told,
    errorCode: run.errorCode,
    ...markCutRun([{ finishReason: run.cutBy }]),
    inputTokens: toNumber(run.inputTokens),
    outputTokens: toNumber(run.outputTokens),
    costUsd: nanosToUsd(toNumber(run.costNanos)),
    startedAt,
    finishedAt: run.finishedAt?.toISOString() ?? null,
  }
}

const toNumber = (sum: string | null): number | null => (sum === null ? null : Number(sum))

import type { Context } from '../../platform/context.ts'
import { tellEvent, wantsEvent } from '../webhooks/webhooks.ts'
import { findBudget } from './read-budgets.ts'
import { findOptionalRunner } from './usage-runs.sql.ts'

/** As runs name it; renaming it loses the ends of runs in progress. */
const SUBSCRIBER = 'budgets'

/** For the ends of runs: each may be what brings a budget near its end. */
export const budgetRunEnds = (ctx: Context) => ({
  subscriber: SUBSCRIBER,
  ofAll: ({ userId }: { userId: number }): boolean => wantsEvent(ctx, { userId, type: 'budget.near' }),
  handle: async ({ executionId }: { executionId: number }): Promise<void> => {
    const userId = await findOptionalRunner(ctx.db, executionId)
    if (userId !== undefined) await tellBudget(ctx, userId)
  },
})

/** Once a month and budget: one that was raised can come near again. */
async function tellBudget(ctx: Context, userId: number): Promise<void> {
  const budget = await findBudget(ctx, { id: userId })
  if (budget === null || !budget.isNear) return
  const { budgetUsd, spentUsd } = budget
  const month = ctx.now().toISOString().slice(0, 'YYYY-MM'.length)
  await tellEvent(ctx, {
    type: 'budget.near',
    key: `budget:${month}:${budgetUsd}`,
    object: 'budget',
    audience: { userId },
    data: { month, budgetUsd, spentUsd },
  })
}

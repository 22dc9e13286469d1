import { type Context, slot } from '../../platform/context.ts'
import { limitedModels } from './limit-spending.ts'
import { findBudget, findBudgetRefusal } from './read-budgets.ts'

export { limitedModels } from './limit-spending.ts'
export { findBudget, findBudgetRefusal } from './read-budgets.ts'

export type BudgetsService = ReturnType<typeof budgetsOf>
export const budgetsSlot = slot<BudgetsService>()

/** For features that are still closures. */
export const budgetsOf = (ctx: Context) => ({
  findRefusal: (userId: number) => findBudgetRefusal(ctx, userId),
  find: (user: { id: number } | null) => findBudget(ctx, user),
  models: limitedModels(ctx),
})

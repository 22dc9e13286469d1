import { type Context, slot } from '../../platform/context.ts'
import type { Models } from '../../platform/models/models.ts'
import { shareModels } from '../../platform/models/share-models.ts'
import { createBudgetsService } from './budgets.service.ts'
import { limitSpending } from './limit-spending.ts'

export type BudgetsService = ReturnType<typeof createBudgets>['service']
export const budgetsSlot = slot<BudgetsService>()

/** What may be spent in a month, and the models that keep to it: each call asks once it has its turn. */
export function createBudgets(
  ctx: Context,
  { models }: { models: Models },
) {
  const { processes, settings } = ctx
  const budgets = createBudgetsService({ ctx, monthlyBudgetUsd: settings.monthlyBudgetUsd })
  const { unpricedModels } = settings
  const limited = limitSpending(models, { budgets, unpricedModels })
  const { find, findRefusal } = budgets
  const modelCallsAtOnce = () => processes.share(settings.modelCallsAtOnce).most
  return { service: { find, findRefusal, models: shareModels(limited, { modelCallsAtOnce }) } }
}

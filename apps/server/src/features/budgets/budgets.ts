import type { Models } from '../../platform/models/models.ts'
import { shareModels } from '../../platform/models/share-models.ts'
import type { Settings } from '../../settings.ts'
import { createQuotasService, type QuotasDeps } from '../quotas/quotas.service.ts'
import { createSpendingService } from '../usage/spending.service.ts'
import { createBudgetsService } from './budgets.service.ts'
import { limitSpending } from './limit-spending.ts'

interface BudgetsOptions extends Pick<QuotasDeps, 'db' | 'rowChanges'> {
  now: () => Date
  models: Models
  settings: Settings
}

/** Bounds on people, their money among them, and the models that keep to it: each call asks once it has its turn. */
export async function createBudgets({ db, rowChanges, now, models, settings }: BudgetsOptions) {
  const spending = createSpendingService({ db, now })
  const quotas = createQuotasService({ db, rowChanges, spending, quotas: settings.quotas })
  await quotas.begin()
  const budgets = createBudgetsService({ quotas, spending, monthlyBudgetUsd: settings.monthlyBudgetUsd })
  const limited = limitSpending(models, { budgets, ...settings, prices: settings.models.prices })
  return { quotas, budgets, models: shareModels(limited, settings) }
}

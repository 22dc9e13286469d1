import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import { quotasRoutes } from './quotas.routes.ts'
import { createQuotasService } from './quotas.service.ts'
import { createSpendingService } from './spending.service.ts'

export type { Spent } from './spending.service.ts'
export type QuotasService = Awaited<ReturnType<typeof createQuotas>>['service']
export const quotasSlot = slot<QuotasService>()

/** How much one person may keep, do and spend. */
export async function createQuotas(platform: Platform) {
  const spending = createSpendingService(platform)
  const quotas = createQuotasService({ ...platform, spending, quotas: platform.settings.quotas })
  await quotas.begin()
  const { boundsOf, explain } = quotas
  return {
    service: { boundsOf, explain, spentInMonth: spending.inMonth },
    routes: [quotasRoutes({ quotas })],
  }
}

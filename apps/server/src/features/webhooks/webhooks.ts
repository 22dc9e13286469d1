import { WEBHOOK_DELIVERY_DAYS } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { type Context, slot } from '../../platform/context.ts'
import { deleteOldDeliveries } from './deliveries.repository.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import { deliver } from './operations/deliver.ts'
import { tell } from './operations/tell.ts'
import { type EndedRun, type FindBudget, tellRunEnd } from './operations/tell-run-end.ts'
import { createTurns } from './turns.ts'
import { createWantedEvents } from './wanted-events.service.ts'
import type { WebhookEvent } from './webhook-events.ts'
import { webhookMetrics } from './webhooks.metrics.ts'
import { webhooksRoutes } from './webhooks.routes.ts'
import type { WebhooksDeps } from './webhooks-deps.ts'

export { sealedWebhookSecrets } from './sealed-secrets.repository.ts'
export { recordObject } from './webhook-events.ts'
export type WebhooksService = Awaited<ReturnType<typeof createWebhooks>>['service']
export const webhooksSlot = slot<WebhooksService>()

/** As runs name it; renaming it loses the events of runs in progress. */
const SUBSCRIBER = 'webhooks'
const DAY_MS = 86_400_000

/** What happens is told to addresses that people name (ADR 048). */
export async function createWebhooks(platform: Context<Database>) {
  const { closing, db, now, outbound, secrets, settings } = platform
  const wanted = await createWantedEvents(platform)
  const deps: WebhooksDeps = {
    closing,
    db,
    now,
    outbound,
    secrets,
    ctx: platform,
    wanted,
    publicUrl: settings.publicUrl,
    queue: createDeliveryQueue(platform),
    turns: createTurns(),
  }
  if (platform.metrics !== undefined) webhookMetrics(deps, platform.metrics)
  deps.queue.work((job, signal) => deliver(deps, job, signal))

  return {
    service: {
      /** In the transaction of what happened: rolled back, nothing is told. */
      tell: (tx: Transaction, event: WebhookEvent): Promise<void> => tell(deps, tx, event),
      /** The same of what left no row. */
      tellAlone: (event: WebhookEvent): Promise<void> => db.transaction((tx) => tell(deps, tx, event)),
      /** For the ends of runs: which are told, and what is then done. */
      runEnds: (findBudget: FindBudget) => ({
        subscriber: SUBSCRIBER,
        ofAll: ({ userId, trigger }: { userId: number; trigger: string }): boolean => {
          if (wanted.wants(userId, 'budget.near')) return true
          const isWanted = wanted.wants(userId, 'run.completed') || wanted.wants(userId, 'run.failed')
          return isWanted && trigger !== 'evaluation'
        },
        handle: (ended: EndedRun): Promise<void> => tellRunEnd(deps, { ended, findBudget }),
      }),
      deleteOldDeliveries: (): Promise<number> =>
        deleteOldDeliveries(db, new Date(now().getTime() - WEBHOOK_DELIVERY_DAYS * DAY_MS)),
    },
    routes: [webhooksRoutes(deps)],
    start: async () => wanted.start(),
    close: () => wanted.close(),
  }
}

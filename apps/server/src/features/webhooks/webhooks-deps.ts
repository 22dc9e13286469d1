import type { Context } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import type { Turns } from './turns.ts'
import type { WantedEvents } from './wanted-events.service.ts'

/** What the operations of webhooks work with. */
export interface WebhooksDeps extends Pick<Platform, 'closing' | 'db' | 'now' | 'outbound' | 'secrets'> {
  publicUrl: string
  ctx: Context
  queue: DeliveryQueue
  turns: Turns
  wanted: WantedEvents
}

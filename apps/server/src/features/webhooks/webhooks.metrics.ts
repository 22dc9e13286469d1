import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { countFailing } from './read-webhooks.ts'

export function watchWebhooks(ctx: Context, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      webhook_deliveries_waiting: 'Webhook deliveries still to be sent.',
      webhooks_failing: 'Active webhooks that have not accepted a delivery since one failed.',
      webhooks_switched_off: 'Webhooks switched off because their endpoint failed for days or is gone.',
    },
    read: async () => {
      const { waiting, failing, switchedOff } = await countFailing(ctx)
      return {
        webhook_deliveries_waiting: waiting,
        webhooks_failing: failing,
        webhooks_switched_off: switchedOff,
      }
    },
  })
}

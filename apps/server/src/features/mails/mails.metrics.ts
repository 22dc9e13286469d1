import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { countUnsentMails } from './read-addresses.ts'

export function watchMails(ctx: Context, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      mails_waiting: 'Mails that are still to be sent.',
      mails_failing: 'Mails that wait because sending them has failed.',
      mails_failed_last_day: 'Mails of the last 24 hours that were given up.',
    },
    read: async () => {
      const { waiting, failing, failed } = await countUnsentMails(ctx)
      return { mails_waiting: waiting, mails_failing: failing, mails_failed_last_day: failed }
    },
  })
}

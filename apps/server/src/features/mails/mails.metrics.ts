import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { countUnsentMails } from './read-addresses.ts'

export function watchMails(ctx: Context, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      mails_waiting: 'Emails still to be sent.',
      mails_failing: 'Emails waiting because sending them has failed.',
      mails_failed_last_day: 'Emails given up in the last 24 hours.',
    },
    read: async () => {
      const { waiting, failing, failed } = await countUnsentMails(ctx)
      return { mails_waiting: waiting, mails_failing: failing, mails_failed_last_day: failed }
    },
  })
}

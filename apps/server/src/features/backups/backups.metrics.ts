import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { readNotices, readProvenAge } from './notices.ts'

export function watchBackups(ctx: Context, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      backup_proven_age_seconds:
        'Time since the newest proven backup was made or, if there is none, since the first account; absent if no automatic backups are made.',
      backup_failing: 'The last backup failed.',
      backup_drill_failing: 'The test restore of the last backup failed.',
    },
    read: async () => {
      const failing = (await readNotices(ctx)).backup?.what
      return {
        backup_proven_age_seconds: await readProvenAge(ctx),
        backup_failing: Number(failing === 'copy'),
        backup_drill_failing: Number(failing === 'drill'),
      }
    },
  })
}

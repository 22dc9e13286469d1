import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { readNotices, readProvenAge } from './notices.ts'

export function watchBackups(ctx: Context, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      backup_proven_age_seconds:
        'Since the newest backup was made that was restored on trial, or since the first account without one; absent where none is made by itself.',
      backup_failing: 'The last backup failed.',
      backup_drill_failing: 'Restoring the last backup on trial failed.',
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

import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { readDueSchedules } from './scheduler-state.ts'

export function scheduleMetrics(ctx: Context, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      schedules_active: 'Active schedules.',
      schedules_next_due_seconds:
        'Time until the next schedule is due; negative: it is overdue. NaN: none is due.',
    },
    read: async () => {
      const { active, nextDueAt } = await readDueSchedules(ctx)
      return {
        schedules_active: active,
        schedules_next_due_seconds:
          nextDueAt === null ? Number.NaN : (nextDueAt.getTime() - ctx.now().getTime()) / 1000,
      }
    },
  })
}

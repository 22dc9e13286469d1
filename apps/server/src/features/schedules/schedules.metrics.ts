import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { readDueSchedules } from './scheduler-state.ts'

export function scheduleMetrics(ctx: Context, metrics: Metrics): void {
  metrics.watch({
    gauges: {
      schedules_active: 'Schedules that fire.',
      schedules_next_due_seconds:
        'Until the next schedule is due; below zero: nobody started it. NaN: none is due.',
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

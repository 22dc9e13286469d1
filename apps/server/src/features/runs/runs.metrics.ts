import type { Bus } from '../../platform/bus/bus.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

export function runsMetrics({ bus }: { bus: Bus | undefined }, metrics: Metrics): void {
  if (bus === undefined) return
  metrics.watch({
    gauges: { bus_up: 'Whether the bus of BUS_URL carries the text of runs for this process: 1 or 0.' },
    read: async () => ({ bus_up: bus.isUp ? 1 : 0 }),
  })
}

import type { Context } from '../../platform/context.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { findBudget } from '../spending/spending.ts'
import { countProcesses, findConnections, readMetrics } from './watch-work.ts'

export function watchActivity(ctx: Context, metrics: Metrics): void {
  const { disk, jobs } = ctx
  metrics.watch({
    gauges: {
      chain_runs_waiting: 'Chain runs that no process has claimed yet, or whose process is gone.',
      chain_runs_oldest_waiting_seconds:
        'Time since the longest-waiting of them was started; 0: none is waiting.',
      jobs_oldest_due_seconds: 'Time since the longest-waiting job became due; 0: none is waiting.',
      processes_live: 'Processes on this database that reported in within the last 20 seconds, by role.',
      database_connections_used:
        'Connections to the PostgreSQL server in use by any program; absent on the embedded database.',
      database_connections_allowed:
        'Connections that the PostgreSQL server allows for users other than superusers; absent on the embedded database.',
      budget_month_left_usd: 'What is left of everyone’s budget this month; absent without a budget.',
      disk_free_bytes: 'Free disk space for the embedded database; absent on a PostgreSQL server.',
    },
    labels: { processes_live: 'role' },
    read: async () => {
      const [figures, processes, connections, oldestDueSeconds, budget] = await Promise.all([
        readMetrics(ctx),
        countProcesses(ctx),
        findConnections(ctx),
        jobs.readOldestDue(),
        findBudget(ctx, null),
      ])
      return {
        chain_runs_waiting: figures.waitingRuns,
        chain_runs_oldest_waiting_seconds: figures.oldestWaitingSeconds,
        jobs_oldest_due_seconds: oldestDueSeconds,
        processes_live: processes,
        database_connections_used: connections?.used ?? null,
        database_connections_allowed: connections?.allowed ?? null,
        budget_month_left_usd: budget && budget.budgetUsd - budget.spentUsd,
        disk_free_bytes: disk.freeBytes(),
      }
    },
  })
}

import {
  USAGE_RUNS_PAGE,
  type UsageRuns,
  type UsageRunsQuery,
  type User,
  type VersionMetrics,
  type VersionMetricsQuery,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { requireScope, visibleRunsOf } from './usage.policy.ts'
import { listChainNames, listPromptNames } from './usage.repository.ts'
import type { UsageService } from './usage.service.ts'
import { listUsageRuns, listVersionMetrics } from './usage-runs.repository.ts'

export type UsageRunsService = ReturnType<typeof createUsageRunsService>

/** The runs behind the metrics, each without its texts. */
export function createUsageRunsService({
  db,
  usage,
}: {
  db: Database
  usage: Pick<UsageService, 'findDays'>
}) {
  /** The time that is asked for: all of the days, or the one. */
  async function findTime({ user, query }: { user: User; query: UsageRunsQuery }) {
    const { days } = await usage.findDays({ user, query })
    const first = query.date === undefined ? 0 : days.findIndex(({ date }) => date === query.date)
    const last = query.date === undefined ? days.length - 1 : first + 1
    const [from, to] = [days[first]?.at, days[last]?.at]
    if (from === undefined || to === undefined) {
      throw new AppError('invalid', `This day is not among the last ${query.days}`)
    }
    return { from, to }
  }

  return {
    async list({ user, query }: { user: User; query: UsageRunsQuery }): Promise<UsageRuns> {
      requireScope(user, query.scope)
      const time = await findTime({ user, query })
      const userId = query.scope === 'mine' ? user.id : query.userId
      const found = await listUsageRuns(db, { ...query, ...time, userId })
      const page = found.slice(0, USAGE_RUNS_PAGE)
      const idsOf = (key: 'promptId' | 'chainId') => page.flatMap((run) => run[key] ?? [])
      const prompts = await listPromptNames(db, { ids: idsOf('promptId'), viewerId: user.id })
      const chains = await listChainNames(db, { ids: idsOf('chainId'), viewerId: user.id })
      const nameOf = (named: { id: number; name: string }[], wanted: number | null) =>
        named.find(({ id }) => id === wanted)?.name
      return {
        runs: page.map(({ costNanos, executedAt, models, ...run }) => ({
          ...run,
          name: nameOf(prompts, run.promptId) ?? nameOf(chains, run.chainId) ?? null,
          models: models ?? [],
          executedAt: executedAt.toISOString(),
          costUsd: nanosToUsd(costNanos),
        })),
        next: found.length > page.length ? (page.at(-1)?.id ?? null) : null,
      }
    },

    async versions({ user, ...record }: VersionMetricsQuery & { user: User }): Promise<VersionMetrics[]> {
      const found = await listVersionMetrics(db, { ...record, userId: visibleRunsOf(user) })
      return found.map(({ costNanos, ...metrics }) => ({ ...metrics, costUsd: nanosToUsd(costNanos) }))
    },
  }
}

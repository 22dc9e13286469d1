import {
  USAGE_RUNS_PAGE,
  type UsageRuns,
  type UsageRunsQuery,
  type User,
  type VersionMetrics,
  type VersionMetricsQuery,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { findDays } from './report-usage.ts'
import { requireScope, visibleRunsOf } from './usage.policy.ts'
import { listChainNames, listPromptNames } from './usage.sql.ts'
import { listUsageRuns, listVersionMetrics } from './usage-runs.sql.ts'

async function findTime(ctx: Context, { user, query }: { user: User; query: UsageRunsQuery }) {
  const { days } = await findDays(ctx, { user, query })
  const first = query.date === undefined ? 0 : days.findIndex(({ date }) => date === query.date)
  const last = query.date === undefined ? days.length - 1 : first + 1
  const [from, to] = [days[first]?.at, days[last]?.at]
  if (from === undefined || to === undefined) {
    throw new AppError('invalid', `This day is not within the last ${query.days}`)
  }
  return { from, to }
}

export async function listRunsOfUsage(
  ctx: Context,
  { user, query }: { user: User; query: UsageRunsQuery },
): Promise<UsageRuns> {
  const { db } = ctx
  requireScope(user, query.scope)
  const time = await findTime(ctx, { user, query })
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
}

export async function measureVersions(
  { db }: Context,
  { user, query }: { user: User; query: VersionMetricsQuery },
): Promise<VersionMetrics[]> {
  const found = await listVersionMetrics(db, { ...query, userId: visibleRunsOf(user) })
  return found.map(({ costNanos, ...metrics }) => ({ ...metrics, costUsd: nanosToUsd(costNanos) }))
}

import type { BudgetState, UsageDay, UsageItem, UsageQuery, UsageReport, User } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { Database } from '../../db/executor.ts'
import type { Log } from '../../platform/log/log.ts'
import { percentile } from './percentiles.ts'
import { requireScope } from './usage.policy.ts'
import {
  type DaySums,
  EVERYONE,
  findDayBounds,
  findTimeZone,
  type ItemSums,
  listChainNames,
  listDaySums,
  listItemSums,
  listPromptNames,
  listTimeBuckets,
  listUsernames,
  type TimeBucket,
} from './usage.repository.ts'
import { addAllToSums, addNewestToSums } from './usage-sums.repository.ts'

export interface UsageDeps {
  db: Database
  now: () => Date
  log: Log
  /** What the person, or everyone, may spend in this month. */
  findBudget: (user: Pick<User, 'id'> | null) => Promise<BudgetState | null>
}

const NAMED_BY_KEY: ItemSums['dimension'][] = ['model', 'reason', 'source']

export type UsageService = ReturnType<typeof createUsageService>

const NOTHING: Omit<DaySums, 'day'> = {
  completed: 0,
  failed: 0,
  cancelled: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costNanos: 0,
  savedNanos: 0,
  uncounted: 0,
}

/** The outcome and cost of runs, from sums that outlive the runs. */
export function createUsageService({ db, now, log, findBudget }: UsageDeps) {
  async function nameItems({ items, viewerId }: { items: ItemSums[]; viewerId: number }) {
    const idsOf = (dimension: ItemSums['dimension']) =>
      items.flatMap((item) => (item.dimension === dimension ? [Number(item.key)] : []))
    const names = new Map<string, string>()
    const add = (dimension: string, found: { id: number; name: string }[]) => {
      for (const { id, name } of found) names.set(`${dimension} ${id}`, name)
    }
    add('prompt', await listPromptNames(db, { ids: idsOf('prompt'), viewerId }))
    add('chain', await listChainNames(db, { ids: idsOf('chain'), viewerId }))
    add('person', await listUsernames(db, { ids: idsOf('person') }))
    return (dimension: ItemSums['dimension']) => {
      const wanted = items.filter((item) => item.dimension === dimension)
      const hasIds = !NAMED_BY_KEY.includes(dimension)
      const listed: UsageItem[] = wanted.map(({ key, runs, costNanos, uncounted }) => ({
        key,
        name: hasIds ? (names.get(`${dimension} ${key}`) ?? null) : key,
        runs,
        costUsd: nanosToUsd(costNanos) ?? 0,
        uncounted,
      }))
      return { count: wanted[0]?.count ?? 0, listed }
    }
  }

  /** The days that were asked for and as many before: where each begins, and the last one ends. */
  async function findDays({ user, query }: { user: User; query: UsageQuery }) {
    const timeZone = query.timeZone ?? (await findTimeZone(db, user.id)) ?? 'UTC'
    const days = Number(query.days)
    const all = await findDayBounds(db, { now: now(), timeZone, days: 2 * days - 1 })
    return { timeZone, before: all.slice(0, days + 1), days: all.slice(days) }
  }

  return {
    findDays,

    budgetOf: findBudget,

    /** Brings the sums up to date. */
    addToSums: ({ signal }: { signal: AbortSignal }): Promise<void> => addAllToSums(db, { signal }),

    async report({ user, query }: { user: User; query: UsageQuery }): Promise<UsageReport> {
      requireScope(user, query.scope)
      const userId = query.scope === 'everyone' ? EVERYONE : user.id
      await addNewestToSums(db).catch((error: unknown) => {
        log.warn({ err: error }, 'the newest runs are not in the sums yet')
      })
      const { timeZone, before, days } = await findDays({ user, query })
      const bounds = days.map(({ at }) => at)
      const [from, to] = [firstOf(bounds), lastOf(bounds)]
      const [sums, earlier, times, items] = await Promise.all([
        listDaySums(db, { userId, bounds }),
        listDaySums(db, { userId, bounds: [firstOf(before).at, from] }),
        listTimeBuckets(db, { userId, bounds }),
        listItemSums(db, { userId, from, to }),
      ])
      const itemsOf = await nameItems({ items, viewerId: user.id })
      const { completed, failed, cancelled, ...past } = earlier[0] ?? NOTHING
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        timeZone,
        days: days.slice(0, -1).map(({ date }, index) => toDay({ date, day: index + 1, sums, times })),
        before: {
          runs: completed + failed + cancelled,
          failed,
          inputTokens: past.inputTokens,
          outputTokens: past.outputTokens,
          cachedTokens: past.cachedTokens,
          costUsd: nanosToUsd(past.costNanos) ?? 0,
          savedUsd: nanosToUsd(past.savedNanos) ?? 0,
        },
        models: itemsOf('model'),
        reasons: itemsOf('reason'),
        prompts: itemsOf('prompt'),
        chains: itemsOf('chain'),
        people: itemsOf('person'),
        sources: itemsOf('source'),
        budget: await findBudget(query.scope === 'everyone' ? null : user),
      }
    },
  }
}

function firstOf<T>(items: T[]): T {
  const [first] = items
  if (first === undefined) throw new Error('there is a day at least')
  return first
}

const lastOf = <T>(items: T[]): T => firstOf(items.slice(-1))

function toDay({
  date,
  day,
  sums,
  times,
}: {
  date: string
  day: number
  sums: DaySums[]
  times: TimeBucket[]
}): UsageDay {
  const { day: _, costNanos, savedNanos, ...found } = { ...NOTHING, ...sums.find((sum) => sum.day === day) }
  const timesOf = (measure: TimeBucket['measure']) => {
    const histogram = times.filter((time) => time.day === day && time.measure === measure)
    const [p50, p95] = [percentile(histogram, 0.5), percentile(histogram, 0.95)]
    return p50 === null || p95 === null ? null : { p50, p95 }
  }
  return {
    date,
    ...found,
    costUsd: nanosToUsd(costNanos) ?? 0,
    savedUsd: nanosToUsd(savedNanos) ?? 0,
    whole: timesOf('whole'),
    firstText: timesOf('firstText'),
  }
}

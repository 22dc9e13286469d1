import type { UsageDay, UsageItem, UsageQuery, UsageReport, User } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { Database } from '../../database/statements/executor.ts'
import type { Context } from '../../platform/context.ts'
import { findBudget } from './read-budgets.ts'
import { requireScope } from './usage.policy.ts'
import {
  type DaySums,
  EVERYONE,
  findDayBounds,
  findTimeZone,
  type ItemSums,
  listChainNames,
  listDaySums,
  listGroupNames,
  listItemSums,
  listPromptNames,
  listTimeBuckets,
  listUsernames,
  type TimeBucket,
} from './usage.sql.ts'
import { addAllToSums, addNewestToSums } from './usage-sums.sql.ts'

const NAMED_BY_KEY: ItemSums['dimension'][] = ['model', 'reason', 'source']

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

/** Each run writes, and an idle instance should stay idle. */
const INTERVAL_SECONDS = 300

/** Registers that what has ended is added to the sums, every five minutes in one of all processes. */
export function workUsage({ db, jobs }: Context<Database>): void {
  jobs.queue('usage').work({
    repeatSeconds: INTERVAL_SECONDS,
    atStart: 'newest',
    handle: ({ signal }) => addAllToSums(db, { signal }),
  })
}

export async function reportUsage(
  ctx: Context,
  { user, query }: { user: User; query: UsageQuery },
): Promise<UsageReport> {
  const { app, db, log } = ctx
  requireScope(user, query.scope)
  const userId = query.scope === 'everyone' ? EVERYONE : user.id
  await addNewestToSums(app.db).catch((error: unknown) => {
    log.warn({ err: error }, 'the newest runs are not in the sums yet')
  })
  const { timeZone, before, days } = await findDays(ctx, { user, query })
  const bounds = days.map(({ at }) => at)
  const [from, to] = [firstOf(bounds), lastOf(bounds)]
  const [sums, earlier, times, items] = await Promise.all([
    listDaySums(db, { userId, bounds }),
    listDaySums(db, { userId, bounds: [firstOf(before).at, from] }),
    listTimeBuckets(db, { userId, bounds }),
    listItemSums(db, { userId, from, to }),
  ])
  const itemsOf = await nameItems(ctx, { items, viewerId: user.id })
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
    groups: itemsOf('group'),
    sources: itemsOf('source'),
    budget: await findBudget(ctx, query.scope === 'everyone' ? null : user),
  }
}

/** The requested days and as many before them: where each begins, and where the last one ends. */
export async function findDays({ db, now }: Context, { user, query }: { user: User; query: UsageQuery }) {
  const timeZone = query.timeZone ?? (await findTimeZone(db, user.id)) ?? 'UTC'
  const days = Number(query.days)
  const all = await findDayBounds(db, { now: now(), timeZone, days: 2 * days - 1 })
  return { timeZone, before: all.slice(0, days + 1), days: all.slice(days) }
}

async function nameItems({ db }: Context, { items, viewerId }: { items: ItemSums[]; viewerId: number }) {
  const idsOf = (dimension: ItemSums['dimension']) =>
    items.flatMap((item) => (item.dimension === dimension ? [Number(item.key)] : []))
  const names = new Map<string, string>()
  const add = (dimension: string, found: { id: number; name: string }[]) => {
    for (const { id, name } of found) names.set(`${dimension} ${id}`, name)
  }
  add('prompt', await listPromptNames(db, { ids: idsOf('prompt'), viewerId }))
  add('chain', await listChainNames(db, { ids: idsOf('chain'), viewerId }))
  add('person', await listUsernames(db, { ids: idsOf('person') }))
  add('group', await listGroupNames(db, { ids: idsOf('group') }))
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

interface Buckets {
  bucket: number
  runs: number
}

/** The time in milliseconds that a fraction of the runs did not exceed; runs are spread evenly within a bucket. */
function percentile(histogram: Buckets[], part: number): number | null {
  const all = histogram.reduce((sum, { runs }) => sum + runs, 0)
  let before = 0
  for (const { bucket, runs } of histogram.toSorted((a, b) => a.bucket - b.bucket)) {
    if (before + runs >= part * all) return Math.round(2 ** ((bucket + (part * all - before) / runs) / 4))
    before += runs
  }
  return null
}

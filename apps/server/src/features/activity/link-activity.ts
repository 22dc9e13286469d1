import type { ActivityState } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { keptDays } from './activity.sql.ts'
import {
  type ChainEnd,
  countLastMinute,
  deleteDay,
  findChainEnd,
  findOptionalFirstDay,
  hashOfLink,
  insertLinks,
  listUnlinked,
  lockChain,
  readClock,
  saveChainEnd,
} from './activity-links.sql.ts'

const MINUTE_SECONDS = 60
const DAY_MS = 86_400_000
const LINKED_AT_ONCE = 500
const FIRST: Omit<ChainEnd, 'linkedAt'> = {
  number: 0,
  hash: '',
  day: '',
  at: new Date(0).toISOString(),
  keptFrom: null,
  lookedThroughOn: '',
}

export function workActivityLinks(ctx: Context): void {
  ctx.jobs.queue('activity-links').work({
    repeatSeconds: MINUTE_SECONDS,
    atStart: 'minutely',
    handle: ({ signal }) => linkActivity(ctx, signal),
  })
  watchLinks(ctx)
}

/** Gives each committed row that has none the next link. */
export async function linkActivity(ctx: Context, signal?: AbortSignal): Promise<void> {
  let linked = LINKED_AT_ONCE
  while (linked === LINKED_AT_ONCE) {
    signal?.throwIfAborted()
    linked = await transaction(ctx.app, ({ db }) => linkNext(db))
  }
}

async function linkNext(db: Transaction): Promise<number> {
  await lockChain(db)
  const { now, today } = await readClock(db)
  const end: ChainEnd = (await findChainEnd(db)) ?? { ...FIRST, linkedAt: now }
  // A row that commits late is dated when it began. Once a day rows of any age are looked for, as a restored copy may have.
  const since = end.lookedThroughOn === today ? new Date(Date.parse(end.at) - DAY_MS) : null
  const rows = await listUnlinked(db, { since, limit: LINKED_AT_ONCE })
  const links = []
  let last = end
  for (const { id, at, day: ofRow, row } of rows) {
    const day = later(last.day, ofRow > today ? today : ofRow)
    const number = last.number + 1
    const hash = hashOfLink({ previous: last.hash, number, day, row })
    links.push({ number, activityId: id, day, hash })
    last = { ...last, number, hash, day, at: later(last.at, at) }
  }
  if (links.length > 0) await insertLinks(db, links)
  const lookedThroughOn = rows.length < LINKED_AT_ONCE ? today : end.lookedThroughOn
  await saveChainEnd(db, { ...last, linkedAt: now, lookedThroughOn })
  return rows.length
}

const later = (one: string, other: string): string => (one > other ? one : other)

/** Whole days before `before`, such as 2026-11-22, with all but the last link of each. How many rows those were. */
export async function deleteEndedDays(
  ctx: Context,
  { before, signal }: { before: string; signal: AbortSignal },
): Promise<number> {
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    const found = await transaction(ctx.app, async ({ db }) => {
      await lockChain(db)
      const end = await findChainEnd(db)
      const day = end && (await findOptionalFirstDay(db, { from: end.keptFrom }))
      if (end === undefined || day === undefined || day >= before) return undefined
      const rows = await deleteDay(db, day)
      await saveChainEnd(db, { ...end, keptFrom: dayAfter(day) })
      return rows
    })
    if (found === undefined) return deleted
    deleted += found
  }
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, day.length)

/** Everyone may read it, so it says when rows were linked, not when the newest was written. */
export async function readActivityState({ db }: SqlContext): Promise<ActivityState> {
  const end = await findChainEnd(db)
  const linkedUntil = end === undefined || end.number === 0 ? null : end.linkedAt
  return { linkedUntil, keptDays: await keptDays(db) }
}

function watchLinks(ctx: Context): void {
  const { db, now } = ctx
  ctx.metrics?.watch({
    gauges: {
      activity_rows_last_minute: 'Rows of the activity that were written in the last minute.',
      activity_link_age_seconds:
        'Time since rows of the activity were last linked; absent until the first time.',
    },
    read: async () => {
      const end = await findChainEnd(db)
      return {
        activity_rows_last_minute: await countLastMinute(db),
        activity_link_age_seconds: end ? (now().getTime() - Date.parse(end.linkedAt)) / 1_000 : null,
      }
    },
  })
}

import { type ActivityFilter, COUNT_MAX, DEFAULT_RETENTION, retentionSettings } from '@catenary/contracts'
import { and, asc, count, desc, eq, gt, gte, like, lt, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { activity, activityLinks, users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'

export type NewActivity = Omit<typeof activity.$inferInsert, 'id' | 'at'>

export async function insertActivity(db: Executor, row: NewActivity): Promise<void> {
  await db.insert(activity).values(row)
}

interface Wanted {
  filter: ActivityFilter
  /** Whose: what they did, and what was done to what is theirs; undefined: everyone's. */
  ofPerson: number | undefined
}

interface Page extends Wanted {
  /** Ids smaller than that. */
  before?: number | undefined
  limit: number
}

const COLUMNS = {
  id: activity.id,
  at: activity.at,
  personId: activity.personId,
  username: users.displayUsername,
  kind: activity.kind,
  objectType: activity.objectType,
  objectId: activity.objectId,
  door: activity.door,
  address: activity.address,
  before: activity.before,
  after: activity.after,
  count: activity.count,
  number: activityLinks.number,
  hash: activityLinks.hash,
}

/** Newest first. */
export function listActivityRows(db: Executor, { before, limit, ...wanted }: Page) {
  return db
    .select(COLUMNS)
    .from(activity)
    .leftJoin(users, eq(users.id, activity.personId))
    .leftJoin(activityLinks, eq(activityLinks.activityId, activity.id))
    .where(and(isWanted(wanted), before === undefined ? undefined : lt(activity.id, before)))
    .orderBy(desc(activity.id))
    .limit(limit)
}
export type StoredActivity = Awaited<ReturnType<typeof listActivityRows>>[number]

/** In the order of the chain. */
export function listLinkedRows(db: Executor, { after, limit }: { after: number; limit: number }) {
  return db
    .select(COLUMNS)
    .from(activityLinks)
    .innerJoin(activity, eq(activity.id, activityLinks.activityId))
    .leftJoin(users, eq(users.id, activity.personId))
    .where(gt(activityLinks.number, after))
    .orderBy(asc(activityLinks.number))
    .limit(limit)
}

/** No further than to one more than are counted. */
export async function countActivity(db: Executor, wanted: Wanted): Promise<number> {
  const some = db
    .select({ id: activity.id })
    .from(activity)
    .where(isWanted(wanted))
    .limit(COUNT_MAX + 1)
    .as('some')
  const [counted] = await db.select({ count: count() }).from(some)
  return counted?.count ?? 0
}

function isWanted({ filter, ofPerson }: Wanted): SQL | undefined {
  const { from, to, person, kind, object, door, refused } = filter
  const [type = '', id] = object?.split(':') ?? []
  return and(
    ofPerson === undefined ? undefined : or(eq(activity.personId, ofPerson), eq(activity.ownerId, ofPerson)),
    from === undefined ? undefined : gte(activity.at, new Date(from)),
    to === undefined ? undefined : lt(activity.at, new Date(to)),
    person === undefined ? undefined : eq(activity.personId, person),
    kind === undefined ? undefined : sql`${activity.kind} = ${kind}`,
    object === undefined ? undefined : sql`${activity.objectType} = ${type}`,
    id === undefined ? undefined : eq(activity.objectId, Number(id)),
    door === undefined ? undefined : eq(activity.door, door),
    refused === undefined ? undefined : like(activity.kind, '%\\_refused'),
  )
}

const KEPT_DAYS = 'activity-days'
const kept = z.object({ days: retentionSettings.shape.activityDays })

/** Null: forever. */
export async function keptDays(db: Executor): Promise<number | null> {
  const stored = kept.safeParse(await readSetting(db, KEPT_DAYS)).data
  return stored === undefined ? DEFAULT_RETENTION.activityDays : stored.days
}

export function saveKeptDays(db: Executor, days: number | null): Promise<void> {
  return writeSetting(db, { key: KEPT_DAYS, value: { days } })
}

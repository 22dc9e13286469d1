import { and, count, desc, eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { apiTokens, promptFetches, prompts, users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { promptsVisibleTo } from '../../database/statements/visible-rows.ts'

type Row = typeof promptFetches.$inferInsert

export interface NewFetch
  extends Pick<Row, 'userId' | 'tokenName' | 'promptId' | 'kind' | 'version' | 'label' | 'client' | 'count'> {
  tokenId: number
  lastAt: Date
}

/** Adds to what is known of the same fetch; nothing happens where token or prompt is gone. */
export async function upsertFetch(db: Executor, { tokenId, lastAt, ...fetch }: NewFetch): Promise<void> {
  const present = await db
    .select({ one: sql`1` })
    .from(apiTokens)
    .innerJoin(prompts, eq(prompts.id, fetch.promptId))
    .where(eq(apiTokens.id, tokenId))
  if (present.length === 0) return
  const { apiTokenId, promptId, kind, version, label, client } = promptFetches
  await db
    .insert(promptFetches)
    .values({ ...fetch, apiTokenId: tokenId, firstAt: lastAt, lastAt })
    .onConflictDoUpdate({
      target: [apiTokenId, promptId, kind, version, label, client],
      set: {
        count: sql`${promptFetches.count} + excluded.count`,
        lastAt: sql`greatest(${promptFetches.lastAt}, excluded.last_at)`,
        tokenName: fetch.tokenName,
      },
    })
}

export async function trimFetches(
  db: Executor,
  { keep, ...of }: ({ tokenId: number } | { userId: number }) & { keep: number },
): Promise<void> {
  const old = db
    .select({ id: promptFetches.id })
    .from(promptFetches)
    .where('tokenId' in of ? eq(promptFetches.apiTokenId, of.tokenId) : eq(promptFetches.userId, of.userId))
    .orderBy(desc(promptFetches.lastAt), desc(promptFetches.id))
    .offset(keep)
  await db.delete(promptFetches).where(sql`${promptFetches.id} in ${old}`)
}

export async function deleteOldFetches(db: Executor, { days }: { days: number }): Promise<number> {
  const { rowCount } = await db
    .delete(promptFetches)
    .where(lt(promptFetches.lastAt, sql`now() - make_interval(days => ${days})`))
  return rowCount ?? 0
}

export type FetchesOf =
  | { userId: number; tokenId: number | undefined }
  | { promptId: number; viewerId: number }

function isOf(of: FetchesOf): SQL | undefined {
  if ('promptId' in of) return eq(promptFetches.promptId, of.promptId)
  const { userId, tokenId } = of
  return and(
    eq(promptFetches.userId, userId),
    // What went out of sight keeps its current title to itself.
    promptsVisibleTo(userId),
    tokenId === undefined ? undefined : eq(promptFetches.apiTokenId, tokenId),
  )
}

/** One row for each of them; all of another person's fetches of a version as one, as what a program calls itself is theirs. */
function seenFetches(db: Executor, of: FetchesOf) {
  const { id, kind, promptId, version, label, userId, lastAt, firstAt } = promptFetches
  const isOwn = 'promptId' in of ? eq(userId, of.viewerId) : sql`true`
  const own = (value: SQLWrapper) => sql`case when ${isOwn} then ${value} end`
  const one = own(id)
  const client = sql<string>`case when ${isOwn} then ${promptFetches.client} else '' end`
  return db
    .select({
      id: sql<number>`max(${id})`.as('newest_id'),
      kind,
      promptId,
      version,
      label,
      userId,
      client: sql<string>`max(${client})`.as('own_client'),
      tokenId: sql<number | null>`max(${own(promptFetches.apiTokenId)})`.as('own_token_id'),
      tokenName: sql<string | null>`max(${own(promptFetches.tokenName)})`.as('own_token_name'),
      count: sql<number>`sum(${promptFetches.count})::integer`.as('fetches'),
      lastAt: sql<Date>`max(${lastAt})`.mapWith(lastAt).as('last_fetch_at'),
      firstAt: sql<Date>`min(${firstAt})`.mapWith(firstAt).as('first_fetch_at'),
    })
    .from(promptFetches)
    .innerJoin(prompts, eq(prompts.id, promptId))
    .where(isOf(of))
    .groupBy(kind, promptId, version, label, userId, one)
    .as('seen')
}

export function listFetches(
  db: Executor,
  { of, before, limit }: { of: FetchesOf; before: { at: Date; id: number } | undefined; limit: number },
) {
  const seen = seenFetches(db, of)
  const at = before && sql`${before.at.toISOString()}::timestamptz`
  return db
    .select({
      id: seen.id,
      kind: seen.kind,
      promptId: seen.promptId,
      version: seen.version,
      label: seen.label,
      client: seen.client,
      lastAt: seen.lastAt,
      firstAt: seen.firstAt,
      tokenName: seen.tokenName,
      tokenId: seen.tokenId,
      count: seen.count,
      slug: prompts.slug,
      title: prompts.title,
      person: users.displayUsername,
    })
    .from(seen)
    .innerJoin(prompts, eq(prompts.id, seen.promptId))
    .innerJoin(users, eq(users.id, seen.userId))
    .where(before && sql`(${seen.lastAt}, ${seen.id}) < (${at}, ${before.id}::integer)`)
    .orderBy(desc(seen.lastAt), desc(seen.id))
    .limit(limit)
}

export async function countFetches(db: Executor, of: FetchesOf): Promise<number> {
  const [row] = await db.select({ count: count() }).from(seenFetches(db, of))
  return row?.count ?? 0
}

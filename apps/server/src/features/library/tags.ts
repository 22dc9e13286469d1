import { nameKey, type SearchTagReply, type Tag, type TagKind, type User } from '@catenary/contracts'
import * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import {
  countEntries,
  findOptionalEntry,
  insertEntry,
  keepEntryKeys,
  listTagRows,
  lockTagIds,
} from './library.sql.ts'

const { id, text: key } = cursorPosition
const CURSOR = defineCursor({ list: 'tags', position: z.strictObject({ key, id }) })

export function keepTagKeys({ db }: SqlContext): Promise<void> {
  return keepEntryKeys(db, 'prompt')
}

export async function listTags(
  { db }: SqlContext,
  { kind, query: { limit, cursor } }: ListRequest<{ kind: TagKind }>,
): Promise<ListPage<Tag>> {
  const after = CURSOR.read(cursor)
  return toPage({
    rows: await listTagRows(db, { kind, after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countEntries(db, kind) },
    toItem: ({ id, name }) => ({ id, name }),
    cursorOf: ({ key, id }) => CURSOR.write({ key, id }),
  })
}

/** Also found by a name that looks the same; `{}` when there is none. */
export async function findTag(
  { db }: SqlContext,
  wanted: { kind: TagKind; name: string },
): Promise<SearchTagReply> {
  return (await findOptionalEntry(db, wanted)) ?? {}
}

/** Throws `conflict` with the existing tag as details when the name is taken. */
export async function createTag(
  ctx: Context,
  { kind, name, user }: { kind: TagKind; name: string; user: User },
): Promise<Tag> {
  const created = await transaction(ctx, async (ctx) => {
    const created = await insertEntry(ctx.db, { kind, name, createdBy: user.id })
    if (created === undefined) return undefined
    await recordActivity(ctx, { kind: 'tag.created', object: 'tag', id: created.id })
    return created
  })
  if (created !== undefined) return created
  // Outside of the transaction, whose keys of names stay.
  throw new AppError('conflict', 'Tag exists', { details: await findOptionalEntry(ctx.db, { kind, name }) })
}

/** The ids of the tags of those names, by their `nameKey`; missing ones are created. */
export async function tagIdsOf(
  { db }: SqlContext<Transaction>,
  { kind, names, user }: { kind: TagKind; names: readonly string[]; user: User },
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  // One order for everyone, so that two who create the same tags wait for each other only once.
  for (const name of [...names].sort()) {
    const key = nameKey(name)
    if (ids.has(key)) continue
    const found =
      (await findOptionalEntry(db, { kind, name })) ??
      (await insertEntry(db, { kind, name, createdBy: user.id })) ??
      (await findOptionalEntry(db, { kind, name }))
    if (found === undefined) throw new Error('A tag that was created is gone')
    ids.set(key, found.id)
  }
  return ids
}

/** Keeps the tags from being deleted before the transaction ends. Throws `invalid` unless all are tags of the kind. */
export async function requireTags(
  { db }: SqlContext<Transaction>,
  { kind, ids }: { kind: TagKind; ids: number[] },
): Promise<void> {
  if (ids.length === 0) return
  const found = new Set(await lockTagIds(db, { kind, ids }))
  const missing = ids.find((id) => !found.has(id))
  if (missing === undefined) return
  throw fieldError('tagIds', `There is no ${kind} tag with the id ${missing}`)
}

import { nameKey, type SearchTagReply, type Tag, type TagKind, type User } from '@catenary/contracts'
import * as z from 'zod'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import {
  countTags,
  createTag,
  findOptionalTagByName,
  keepTagKeys,
  listTags,
  lockTagIds,
} from './tags.repository.ts'

const { id, text: key } = cursorPosition
const CURSOR = defineCursor({ list: 'tags', position: z.strictObject({ key, id }) })

export type TagsService = ReturnType<typeof createTagsService>

/** The tags of each kind, in collections that everyone shares. */
export function createTagsService({ db }: { db: Database }) {
  return {
    /** Of tags that the version before wrote. */
    keepKeys: () => keepTagKeys(db),

    /** By name. Throws `invalid` for a foreign cursor. */
    async list({ kind, query }: ListRequest<{ kind: TagKind }>): Promise<ListPage<Tag>> {
      const { limit, cursor } = query
      const after = CURSOR.read(cursor)
      return toPage({
        rows: await listTags(db, { kind, after, limit: limit + 1 }),
        limit,
        total: after ? undefined : { count: await countTags(db, kind) },
        toItem: ({ id, name }) => ({ id, name }),
        cursorOf: ({ key, id }) => CURSOR.write({ key, id }),
      })
    },

    /** The tag of that name, or of one that looks the same; `{}` when there is none. */
    async search({ kind, name }: { kind: TagKind; name: string }): Promise<SearchTagReply> {
      return (await findOptionalTagByName(db, { kind, name })) ?? {}
    },

    /** Throws `conflict` with the existing tag as details when the name is taken. */
    async create({ kind, name, user }: { kind: TagKind; name: string; user: User }): Promise<Tag> {
      const created = await createTag(db, { kind, name, createdBy: user.id })
      if (created !== undefined) return created
      const existing = await findOptionalTagByName(db, { kind, name })
      throw new AppError('conflict', 'Tag exists', { details: existing })
    },

    /** The ids of the tags of those names, by their `nameKey`; what is not there is made, in the caller's transaction. */
    async idsOf(
      tx: Transaction,
      { kind, names, user }: { kind: TagKind; names: readonly string[]; user: User },
    ): Promise<Map<string, number>> {
      const ids = new Map<string, number>()
      // In one order for everyone: two who make the same tags wait for each other once.
      for (const name of [...names].sort()) {
        const key = nameKey(name)
        if (ids.has(key)) continue
        const found =
          (await findOptionalTagByName(tx, { kind, name })) ??
          (await createTag(tx, { kind, name, createdBy: user.id })) ??
          (await findOptionalTagByName(tx, { kind, name }))
        if (found === undefined) throw new Error('A tag that was made is gone')
        ids.set(key, found.id)
      }
      return ids
    },

    /** Throws `invalid` unless all ids are tags of the kind; runs in the caller's transaction. */
    async requireAll(tx: Transaction, { kind, ids }: { kind: TagKind; ids: number[] }): Promise<void> {
      if (ids.length === 0) return
      const found = new Set(await lockTagIds(tx, { kind, ids }))
      const missing = ids.find((id) => !found.has(id))
      if (missing === undefined) return
      throw fieldError('tagIds', `There is no ${kind} tag with the id ${missing}`)
    },
  }
}

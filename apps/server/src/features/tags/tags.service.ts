import type { SearchTagReply, Tag, TagKind, User } from '@catenary/contracts'
import type { Database, Executor } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { createTag, findOptionalTagByName, listTagIds, listTags } from './tags.repository.ts'

export type TagsService = ReturnType<typeof createTagsService>

/** The tags of each kind, in collections that everyone shares. */
export function createTagsService({ db }: { db: Database }) {
  return {
    list(kind: TagKind): Promise<Tag[]> {
      return listTags(db, kind)
    },

    /** The tag of that name, without regard to case; `{}` when there is none. */
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

    /** Throws `invalid` unless all ids are tags of the kind; runs in the caller's transaction. */
    async requireAll(executor: Executor, { kind, ids }: { kind: TagKind; ids: number[] }): Promise<void> {
      if (ids.length === 0) return
      const found = new Set(await listTagIds(executor, { kind, ids }))
      const missing = ids.find((id) => !found.has(id))
      if (missing === undefined) return
      const message = `There is no ${kind} tag with the id ${missing}`
      throw new AppError('invalid', message, { details: [{ path: 'tagIds', message }] })
    },
  }
}

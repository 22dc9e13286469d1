import type { TaxonomyEntry, TaxonomyKind, User } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import {
  countEntries,
  createTaxonomyEvent,
  deleteEntry,
  findOptionalEntryByName,
  listEntries,
  lockEntries,
  moveUses,
  renameEntry,
} from './taxonomy.repository.ts'

const CURSOR = defineCursor({ list: 'labels', position: cursorPosition.id })

interface EntryChange {
  kind: TaxonomyKind
  id: number
  actor: User
}

export type TaxonomyService = ReturnType<typeof createTaxonomyService>

/** What admins do to the categories and tags that everyone shares; the caller has made sure that an admin asks. */
export function createTaxonomyService({ db }: { db: Database }) {
  return {
    /** Oldest first. Throws `invalid` for a foreign cursor. */
    async list({ kind, query }: ListRequest<{ kind: TaxonomyKind }>): Promise<ListPage<TaxonomyEntry>> {
      const { limit, cursor } = query
      const after = CURSOR.read(cursor)
      return toPage({
        rows: await listEntries(db, { kind, after, limit: limit + 1 }),
        limit,
        total: after ? undefined : { count: await countEntries(db, kind) },
        toItem: (row) => row,
        cursorOf: ({ id }) => CURSOR.write(id),
      })
    },

    /** Throws `conflict` with the other one as details when the name is taken. */
    rename({ name, actor, ...label }: EntryChange & { name: string }): Promise<TaxonomyEntry> {
      return db.transaction(async (tx) => {
        const before = await lock(tx, label)
        if (!(await renameEntry(tx, { ...label, name }))) {
          const details = await findOptionalEntryByName(tx, { kind: label.kind, name })
          throw new AppError('conflict', `${nounOf(label.kind)} exists`, { details })
        }
        await note(tx, { ...label, actor, action: 'renamed', details: { from: before.name, to: name } })
        return lock(tx, label)
      })
    },

    /** What has the one has the other afterwards, and the one is gone. Throws `invalid` where they are the same. */
    merge({ into, actor, ...label }: EntryChange & { into: number }): Promise<TaxonomyEntry> {
      return db.transaction(async (tx) => {
        const { kind, id } = label
        if (into === id) throw fieldError('into', 'Choose another one to merge into')
        const found = await lockEntries(tx, { kind, ids: [id, into] })
        const from = found.find((one) => one.id === id)
        if (from === undefined) throw notFound(kind)
        if (found.length < 2)
          throw fieldError('into', `There is no ${nounOf(kind).toLowerCase()} with the id ${into}`)
        await moveUses(tx, { ...label, into })
        await deleteEntry(tx, label)
        await note(tx, { ...label, actor, action: 'merged', details: { name: from.name, into } })
        return lock(tx, { kind, id: into })
      })
    },

    /** Removes a tag from every record; throws `conflict` for a category that has prompts. */
    delete({ actor, ...label }: EntryChange): Promise<void> {
      return db.transaction(async (tx) => {
        const { name, uses } = await lock(tx, label)
        if (label.kind === 'category' && uses > 0) {
          const counted = uses === 1 ? '1 prompt' : `${uses.toLocaleString('en')} prompts`
          throw new AppError('conflict', `This category has ${counted}. Merge it into another one instead.`)
        }
        await deleteEntry(tx, label)
        await note(tx, { ...label, actor, action: 'deleted', details: { name, uses } })
      })
    },
  }
}

async function lock(
  tx: Transaction,
  { kind, id }: { kind: TaxonomyKind; id: number },
): Promise<TaxonomyEntry> {
  const [found] = await lockEntries(tx, { kind, ids: [id] })
  if (found === undefined) throw notFound(kind)
  return found
}

async function note(
  tx: Transaction,
  { actor, action, kind, ...event }: EntryChange & { action: string; details: object },
): Promise<void> {
  const object = kind === 'category' ? 'category' : 'tag'
  await createTaxonomyEvent(tx, { ...event, kind, actorId: actor.id, action: `${object}.${action}` })
}

const nounOf = (kind: TaxonomyKind): string => (kind === 'category' ? 'Category' : 'Tag')

function notFound(kind: TaxonomyKind): AppError {
  return new AppError('not_found', `${nounOf(kind)} not found`)
}

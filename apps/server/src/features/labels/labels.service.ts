import type { LabelKind, ListQuery, ManagedLabel, User } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { defineCursor, type ListPage, cursorPosition, toPage } from '../../list-page.ts'
import {
  countLabels,
  createLabelEvent,
  deleteLabel,
  findOptionalLabel,
  listLabels,
  lockLabels,
  moveLabel,
  renameLabel,
} from './labels.repository.ts'

const CURSOR = defineCursor({ list: 'labels', position: cursorPosition.id })

interface LabelChange {
  kind: LabelKind
  id: number
  actor: User
}

export type LabelsService = ReturnType<typeof createLabelsService>

/** What admins do to the categories and tags that everyone shares; the caller has made sure that an admin asks. */
export function createLabelsService({ db }: { db: Database }) {
  return {
    /** Oldest first. Throws `invalid` for a foreign cursor. */
    async list({
      kind,
      query: { limit, cursor },
    }: {
      kind: LabelKind
      query: ListQuery
    }): Promise<ListPage<ManagedLabel>> {
      const after = CURSOR.read(cursor)
      return toPage({
        rows: await listLabels(db, { kind, after, limit: limit + 1 }),
        limit,
        total: after ? undefined : { count: await countLabels(db, kind) },
        toItem: (row) => row,
        cursorOf: ({ id }) => CURSOR.write(id),
      })
    },

    /** Throws `conflict` with the other one as details when the name is taken. */
    rename({ name, actor, ...label }: LabelChange & { name: string }): Promise<ManagedLabel> {
      return db.transaction(async (tx) => {
        const before = await lock(tx, label)
        if (!(await renameLabel(tx, { ...label, name }))) {
          const details = await findOptionalLabel(tx, { kind: label.kind, name })
          throw new AppError('conflict', `${nounOf(label.kind)} exists`, { details })
        }
        await note(tx, { ...label, actor, action: 'renamed', details: { from: before.name, to: name } })
        return { ...before, name }
      })
    },

    /** What has the one has the other afterwards, and the one is gone. Throws `invalid` where they are the same. */
    merge({ into, actor, ...label }: LabelChange & { into: number }): Promise<ManagedLabel> {
      return db.transaction(async (tx) => {
        const { kind, id } = label
        if (into === id) throw invalidInto('Choose another one to merge into')
        const found = await lockLabels(tx, { kind, ids: [id, into] })
        const from = found.find((one) => one.id === id)
        if (from === undefined) throw notFound(kind)
        if (found.length < 2)
          throw invalidInto(`There is no ${nounOf(kind).toLowerCase()} with the id ${into}`)
        await moveLabel(tx, { ...label, into })
        await deleteLabel(tx, label)
        await note(tx, { ...label, actor, action: 'merged', details: { name: from.name, into } })
        return lock(tx, { kind, id: into })
      })
    },

    /** Removes a tag from every record; throws `conflict` for a category that has prompts. */
    delete({ actor, ...label }: LabelChange): Promise<void> {
      return db.transaction(async (tx) => {
        const { name, uses } = await lock(tx, label)
        if (label.kind === 'category' && uses > 0) {
          const counted = uses === 1 ? '1 prompt' : `${uses.toLocaleString('en')} prompts`
          throw new AppError('conflict', `This category has ${counted}. Merge it into another one instead.`)
        }
        await deleteLabel(tx, label)
        await note(tx, { ...label, actor, action: 'deleted', details: { name, uses } })
      })
    },
  }
}

async function lock(tx: Transaction, { kind, id }: { kind: LabelKind; id: number }): Promise<ManagedLabel> {
  const [found] = await lockLabels(tx, { kind, ids: [id] })
  if (found === undefined) throw notFound(kind)
  return found
}

async function note(
  tx: Transaction,
  { actor, action, kind, ...event }: LabelChange & { action: string; details: object },
): Promise<void> {
  const object = kind === 'category' ? 'category' : 'tag'
  await createLabelEvent(tx, { ...event, kind, actorId: actor.id, action: `${object}.${action}` })
}

const nounOf = (kind: LabelKind): string => (kind === 'category' ? 'Category' : 'Tag')

function notFound(kind: LabelKind): AppError {
  return new AppError('not_found', `${nounOf(kind)} not found`)
}

function invalidInto(message: string): AppError {
  return new AppError('invalid', message, { details: [{ path: 'into', message }] })
}

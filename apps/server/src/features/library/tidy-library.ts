import type { TaxonomyEntry, TaxonomyKind } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type ActorContext, type Context, type SqlContext, transaction } from '../../platform/context.ts'
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
  deleteEntryRow,
  findOptionalUsedEntry,
  listUsedEntries,
  lockUsedEntries,
  moveUses,
  updateEntryName,
} from './library.sql.ts'

const CURSOR = defineCursor({ list: 'labels', position: cursorPosition.id })

interface EntryChange {
  kind: TaxonomyKind
  id: number
}

export async function listEntries(
  { db }: SqlContext,
  { kind, query: { limit, cursor } }: ListRequest<{ kind: TaxonomyKind }>,
): Promise<ListPage<TaxonomyEntry>> {
  const after = CURSOR.read(cursor)
  return toPage({
    rows: await listUsedEntries(db, { kind, after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countEntries(db, kind) },
    toItem: (row) => row,
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

/** Throws `conflict` with the other entry as details when the name is taken. */
export function renameEntry(ctx: Context, change: EntryChange & { name: string }): Promise<TaxonomyEntry> {
  return transaction(ctx, async (ctx) => {
    const { kind, name } = change
    await requireEntry(ctx, change)
    if (!(await updateEntryName(ctx.db, change))) {
      const details = await findOptionalUsedEntry(ctx.db, { kind, name })
      throw new AppError('conflict', `${nounOf(kind)} exists`, { details })
    }
    await record(ctx, { ...change, action: 'renamed' })
    return requireEntry(ctx, change)
  })
}

/** Everything that has the entry gets the other one; the entry is deleted. Throws `invalid` if both are the same. */
export function mergeEntry(ctx: Context, change: EntryChange & { into: number }): Promise<TaxonomyEntry> {
  return transaction(ctx, async (ctx) => {
    const { kind, id, into } = change
    if (into === id) throw fieldError('into', 'Choose a different one to merge into')
    const found = await lockUsedEntries(ctx.db, { kind, ids: [id, into] })
    if (!found.some((one) => one.id === id)) throw notFound(kind)
    if (found.length < 2)
      throw fieldError('into', `There is no ${nounOf(kind).toLowerCase()} with the id ${into}`)
    await moveUses(ctx.db, change)
    await deleteEntryRow(ctx.db, change)
    await record(ctx, { ...change, action: 'merged' })
    return requireEntry(ctx, { kind, id: into })
  })
}

/** Removes a tag from every record; throws `conflict` for a category that has prompts. */
export function deleteEntry(ctx: Context, change: EntryChange): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { uses } = await requireEntry(ctx, change)
    if (change.kind === 'category' && uses > 0) {
      const counted = uses === 1 ? '1 prompt' : `${uses.toLocaleString('en')} prompts`
      throw new AppError('conflict', `This category has ${counted}. Merge it into another one instead.`)
    }
    await deleteEntryRow(ctx.db, change)
    await record(ctx, { ...change, action: 'deleted' })
  })
}

async function requireEntry(
  { db }: SqlContext<Transaction>,
  { kind, id }: { kind: TaxonomyKind; id: number },
): Promise<TaxonomyEntry> {
  const [found] = await lockUsedEntries(db, { kind, ids: [id] })
  if (found === undefined) throw notFound(kind)
  return found
}

function record(
  ctx: ActorContext<Transaction>,
  { kind, id, action }: EntryChange & { action: 'renamed' | 'merged' | 'deleted' },
): Promise<void> {
  const object = kind === 'category' ? 'category' : 'tag'
  return recordActivity(ctx, { kind: `${object}.${action}`, object, id })
}

const nounOf = (kind: TaxonomyKind): string => (kind === 'category' ? 'Category' : 'Tag')

function notFound(kind: TaxonomyKind): AppError {
  return new AppError('not_found', `${nounOf(kind)} not found`)
}

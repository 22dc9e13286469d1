import { type Category, INITIAL_CATEGORIES, type User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, onePerApp, type SqlContext, transaction } from '../../platform/context.ts'
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
  insertCategories,
  insertEntry,
  keepEntryKeys,
  listCategoryRows,
  lockCategory,
} from './library.sql.ts'
import { preparePromptTallies } from './prompt-tallies.sql.ts'

const CURSOR = defineCursor({ list: 'categories', position: cursorPosition.id })

/** Counts per category what a person, or a guest, can see of its prompts; the category 0 counts names. */
export const promptTallies = onePerApp(({ db }) => preparePromptTallies(db))

export async function listCategories(
  ctx: Context,
  { user, query: { limit, cursor } }: ListRequest<{ user: User | null }>,
): Promise<ListPage<Category>> {
  const after = CURSOR.read(cursor)
  const tallies = await promptTallies(ctx)(user?.id)
  const counts = new Map(tallies.map(({ categoryId, prompts }) => [categoryId, prompts]))
  return toPage({
    rows: await listCategoryRows(ctx.db, { after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countEntries(ctx.db, 'category') },
    toItem: (row) => ({ ...row, count: counts.get(row.id) ?? 0 }),
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

interface NewCategory {
  name: string
  user: User
}

export async function createCategory(ctx: Context, { name, user }: NewCategory): Promise<Category> {
  const created = await transaction(ctx, async (ctx) => {
    const created = await insertEntry(ctx.db, { kind: 'category', name, createdBy: user.id })
    if (created === undefined) return undefined
    await recordActivity(ctx, { kind: 'category.created', object: 'category', id: created.id })
    return created
  })
  if (created !== undefined) return { ...created, count: 0 }
  // Outside of the transaction, whose keys of names stay.
  const details = await findOptionalEntry(ctx.db, { kind: 'category', name })
  throw new AppError('conflict', 'Category exists', { details })
}

export async function categoryIdOf(
  { db }: SqlContext<Transaction>,
  { name, user }: NewCategory,
): Promise<number> {
  const wanted = { kind: 'category', name } as const
  const found =
    (await findOptionalEntry(db, wanted)) ??
    (await insertEntry(db, { ...wanted, createdBy: user.id })) ??
    // Another transaction created it in between.
    (await findOptionalEntry(db, wanted))
  if (found === undefined) throw new Error(`There is no category ${name}`)
  return found.id
}

/** Keeps the category from being deleted before the transaction ends. Throws `invalid` if there is none. */
export async function requireCategory({ db }: SqlContext<Transaction>, id: number): Promise<void> {
  if (!(await lockCategory(db, id))) throw fieldError('categoryId', 'This category does not exist')
}

export async function createInitialCategories({ db }: SqlContext): Promise<void> {
  await keepEntryKeys(db, 'category')
  if ((await countEntries(db, 'category')) === 0) await insertCategories(db, INITIAL_CATEGORIES)
}

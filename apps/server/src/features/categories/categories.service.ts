import { type Category, INITIAL_CATEGORIES, type User } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import {
  countCategories,
  createCategories,
  createCategory,
  findOptionalCategoryByName,
  keepCategoryKeys,
  listCategories,
} from './categories.repository.ts'

const CURSOR = defineCursor({ list: 'categories', position: cursorPosition.id })

export type CategoriesService = ReturnType<typeof createCategoriesService>

/** The categories that all prompts share. */
export function createCategoriesService({
  db,
  prompts,
}: {
  db: Database
  prompts: Pick<PromptsService, 'countByCategory'>
}) {
  return {
    /** Oldest first, each with the number of prompts that the viewer can see (D17). Throws `invalid` for a foreign cursor. */
    async list({ viewer, query }: ListRequest<{ viewer: User | null }>): Promise<ListPage<Category>> {
      const { limit, cursor } = query
      const after = CURSOR.read(cursor)
      const counts = await prompts.countByCategory(viewer)
      return toPage({
        rows: await listCategories(db, { after, limit: limit + 1 }),
        limit,
        total: after ? undefined : { count: await countCategories(db) },
        toItem: (row) => ({ ...row, count: counts.get(row.id) ?? 0 }),
        cursorOf: ({ id }) => CURSOR.write(id),
      })
    },

    /** Throws `conflict` with the existing category as details when the name is taken. */
    async create({ name, user }: { name: string; user: User }): Promise<Category> {
      const created = await createCategory(db, { name, createdBy: user.id })
      if (created !== undefined) return { ...created, count: 0 }
      const existing = await findOptionalCategoryByName(db, name)
      throw new AppError('conflict', 'Category exists', { details: existing })
    },

    /** The id of the category of that name, which is made where it is gone; in the caller's transaction. */
    async idOf(tx: Transaction, { name, user }: { name: string; user: User }): Promise<number> {
      const found =
        (await findOptionalCategoryByName(tx, name)) ??
        (await createCategory(tx, { name, createdBy: user.id }))
      // Another transaction made it in between.
      const category = found ?? (await findOptionalCategoryByName(tx, name))
      if (category === undefined) throw new Error(`There is no category ${name}`)
      return category.id
    },

    /** Gives a fresh instance its first categories (D17). */
    async createInitial(): Promise<void> {
      await keepCategoryKeys(db)
      if ((await countCategories(db)) === 0) await createCategories(db, INITIAL_CATEGORIES)
    },
  }
}

import { type Category, INITIAL_CATEGORIES, type User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { PromptsService } from '../prompts/prompts.service.ts'
import { createCategory, findOptionalCategoryByName, listCategories } from './categories.repository.ts'

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
    /** All categories, each with the number of prompts that the viewer can see (D17). */
    async list(viewer: User | null): Promise<Category[]> {
      const counts = await prompts.countByCategory(viewer)
      const rows = await listCategories(db)
      return rows.map((row) => ({ ...row, count: counts.get(row.id) ?? 0 }))
    },

    /** Throws `conflict` with the existing category as details when the name is taken. */
    async create({ name, user }: { name: string; user: User }): Promise<Category> {
      const created = await createCategory(db, { name, createdBy: user.id })
      if (created !== undefined) return { ...created, count: 0 }
      const existing = await findOptionalCategoryByName(db, name)
      throw new AppError('conflict', 'Category exists', { details: existing })
    },

    /** Gives a fresh instance its first categories (D17). */
    async createInitial(): Promise<void> {
      if ((await listCategories(db)).length > 0) return
      for (const name of INITIAL_CATEGORIES) await createCategory(db, { name, createdBy: null })
    },
  }
}

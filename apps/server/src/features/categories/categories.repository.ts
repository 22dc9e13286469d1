import { nameKey } from '@catenary/contracts'
import { asc, count, gt } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { hasNameKey, keepNameKeys } from '../../db/name-keys.ts'
import { categories } from '../../db/schema/index.ts'

const row = { id: categories.id, name: categories.name }

/** Oldest first, from after an id on. */
export function listCategories(
  executor: Executor,
  { after = 0, limit }: { after?: number | undefined; limit: number },
) {
  return executor
    .select(row)
    .from(categories)
    .where(gt(categories.id, after))
    .orderBy(asc(categories.id))
    .limit(limit)
}

export async function countCategories(executor: Executor): Promise<number> {
  const [counted] = await executor.select({ count: count() }).from(categories)
  return counted?.count ?? 0
}

export const keepCategoryKeys = (executor: Executor): Promise<void> => keepNameKeys(executor, categories)

/** The new category, or undefined when one has the name, or one that looks the same. */
export async function createCategory(
  executor: Executor,
  category: { name: string; createdBy: number | null },
) {
  await keepNameKeys(executor, categories)
  const [created] = await executor
    .insert(categories)
    .values({ ...category, nameKey: nameKey(category.name) })
    .onConflictDoNothing()
    .returning(row)
  return created
}

/** Adds the names that are not taken, in their order. */
export async function createCategories(executor: Executor, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ name, nameKey: nameKey(name), createdBy: null }))
  await executor.insert(categories).values(rows).onConflictDoNothing()
}

/** The category of that name, or of one that looks the same. */
export async function findOptionalCategoryByName(executor: Executor, name: string) {
  await keepNameKeys(executor, categories)
  const [found] = await executor.select(row).from(categories).where(hasNameKey(categories, name))
  return found
}

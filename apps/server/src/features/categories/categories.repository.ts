import { asc, count, eq, gt, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
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

/** The new category, or undefined when the name is taken without regard to case. */
export async function createCategory(
  executor: Executor,
  category: { name: string; createdBy: number | null },
) {
  const [created] = await executor.insert(categories).values(category).onConflictDoNothing().returning(row)
  return created
}

/** Adds the names that are not taken, in their order. */
export async function createCategories(executor: Executor, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ name, createdBy: null }))
  await executor.insert(categories).values(rows).onConflictDoNothing()
}

/** The category of that name, without regard to case. */
export async function findOptionalCategoryByName(executor: Executor, name: string) {
  const [found] = await executor
    .select(row)
    .from(categories)
    .where(eq(sql`lower(${categories.name})`, sql`lower(${name})`))
  return found
}

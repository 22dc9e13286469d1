import { asc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { categories } from '../../db/schema/index.ts'

const row = { id: categories.id, name: categories.name }

/** All categories, oldest first. */
export function listCategories(executor: Executor) {
  return executor.select(row).from(categories).orderBy(asc(categories.id))
}

/** The new category, or undefined when the name is taken without regard to case. */
export async function createCategory(
  executor: Executor,
  category: { name: string; createdBy: number | null },
) {
  const [created] = await executor.insert(categories).values(category).onConflictDoNothing().returning(row)
  return created
}

/** The category of that name, without regard to case. */
export async function findOptionalCategoryByName(executor: Executor, name: string) {
  const [found] = await executor
    .select(row)
    .from(categories)
    .where(eq(sql`lower(${categories.name})`, sql`lower(${name})`))
  return found
}

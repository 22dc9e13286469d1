import { type CreateViewRequest, nameKey, type View } from '@catenary/contracts'
import { and, asc, eq, gt } from 'drizzle-orm'
import { views } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

const COLUMNS = { id: views.id, name: views.name, page: views.page, query: views.query }

/** Oldest first, from after an id on. */
export function listViewRows(
  db: Executor,
  { ownerId, after = 0, limit }: { ownerId: number; after?: number | undefined; limit: number },
): Promise<View[]> {
  return db
    .select(COLUMNS)
    .from(views)
    .where(and(eq(views.ownerId, ownerId), gt(views.id, after)))
    .orderBy(asc(views.id))
    .limit(limit)
}

export function countViews(db: Executor, ownerId: number): Promise<number> {
  return db.$count(views, eq(views.ownerId, ownerId))
}

/** The new view, or undefined when one of that page has the name, or one that looks the same. */
export async function insertView(
  db: Executor,
  view: CreateViewRequest & { ownerId: number },
): Promise<View | undefined> {
  const [created] = await db
    .insert(views)
    .values({ ...view, nameKey: nameKey(view.name) })
    .onConflictDoNothing()
    .returning(COLUMNS)
  return created
}

export async function findOptionalView(
  db: Executor,
  { ownerId, page, name }: { ownerId: number } & Omit<CreateViewRequest, 'query'>,
): Promise<View | undefined> {
  const isNamed = and(eq(views.ownerId, ownerId), eq(views.page, page), eq(views.nameKey, nameKey(name)))
  const [found] = await db.select(COLUMNS).from(views).where(isNamed)
  return found
}

/** False where that person has no such view. */
export async function deleteViewRow(
  db: Executor,
  { id, ownerId }: { id: number; ownerId: number },
): Promise<boolean> {
  const isOwn = and(eq(views.id, id), eq(views.ownerId, ownerId))
  const deleted = await db.delete(views).where(isOwn).returning({ id: views.id })
  return deleted.length > 0
}

import { asc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { byLetters } from '../../db/schema/columns.ts'
import { modelLists, users } from '../../db/schema/index.ts'

/** People with a list of their own, by name. */
export function listOwnLists(executor: Executor) {
  return executor
    .select({ userId: modelLists.userId, username: users.displayUsername, modelIds: modelLists.modelIds })
    .from(modelLists)
    .innerJoin(users, eq(users.id, modelLists.userId))
    .orderBy(asc(byLetters(users.username)))
}

/** Whether there is such a person. */
export async function existsPerson(executor: Executor, id: number): Promise<boolean> {
  const found = await executor.select({ id: users.id }).from(users).where(eq(users.id, id))
  return found.length > 0
}

/** Whether a person is an admin. */
export async function isAdminNow(executor: Executor, id: number): Promise<boolean> {
  const [found] = await executor.select({ role: users.role }).from(users).where(eq(users.id, id))
  return found?.role === 'admin'
}

export async function saveOwnList(
  executor: Executor,
  { userId, modelIds }: { userId: number; modelIds: number[] },
): Promise<void> {
  await executor
    .insert(modelLists)
    .values({ userId, modelIds })
    .onConflictDoUpdate({ target: modelLists.userId, set: { modelIds } })
}

export async function deleteOwnList(executor: Executor, userId: number): Promise<void> {
  await executor.delete(modelLists).where(eq(modelLists.userId, userId))
}

/** Takes a model out of every list. */
export async function removeFromLists(executor: Executor, modelId: number): Promise<void> {
  await executor
    .update(modelLists)
    .set({ modelIds: sql`array_remove(${modelLists.modelIds}, ${modelId})` })
    .where(sql`${modelId} = any(${modelLists.modelIds})`)
}

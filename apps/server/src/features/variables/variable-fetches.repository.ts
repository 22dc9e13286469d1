import { and, eq, lte, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { variableFetches, variables } from '../../db/schema/index.ts'

/** Which state of a variable a value was fetched for. */
interface Fetched {
  variableId: number
  revision: number
}

export async function findOptionalFetch(executor: Executor, { variableId, revision }: Fetched) {
  const [found] = await executor
    .select({ content: variableFetches.content, fetchedAt: variableFetches.fetchedAt })
    .from(variableFetches)
    .where(and(eq(variableFetches.variableId, variableId), eq(variableFetches.revision, revision)))
  return found
}

/** Keeps the value, unless the variable has been deleted or changed since. */
export async function saveFetch(
  executor: Executor,
  { variableId, revision, content, fetchedAt }: Fetched & { content: string; fetchedAt: Date },
): Promise<void> {
  await executor
    .insert(variableFetches)
    .select(
      executor
        .select({
          variableId: variables.id,
          revision: variables.revision,
          content: sql<string>`${content}::text`.as('content'),
          fetchedAt: sql<Date>`${fetchedAt.toISOString()}::timestamptz`.as('fetched_at'),
        })
        .from(variables)
        .where(and(eq(variables.id, variableId), eq(variables.revision, revision))),
    )
    .onConflictDoUpdate({
      target: variableFetches.variableId,
      set: { revision, content, fetchedAt },
      setWhere: lte(variableFetches.revision, revision),
    })
}

/** Deletes the cached value of a variable that has changed. */
export async function deleteFetch(executor: Executor, variableId: number): Promise<void> {
  await executor.delete(variableFetches).where(eq(variableFetches.variableId, variableId))
}

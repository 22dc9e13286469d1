import { and, asc, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { promptAliases } from '../../db/schema/index.ts'

/** Of a prompt, by name. */
export function listPromptAliases(executor: Executor, promptId: number) {
  const { alias, createdAt } = promptAliases
  return executor
    .select({ alias, createdAt })
    .from(promptAliases)
    .where(eq(promptAliases.promptId, promptId))
    .orderBy(asc(alias))
}

/** Whose alias it is now: the prompt's own, or of the one that had it before. */
export async function createPromptAlias(
  executor: Executor,
  { alias, promptId }: { alias: string; promptId: number },
): Promise<number | undefined> {
  await executor.insert(promptAliases).values({ alias, promptId }).onConflictDoNothing()
  const [found] = await executor
    .select({ promptId: promptAliases.promptId })
    .from(promptAliases)
    .where(eq(promptAliases.alias, alias))
  return found?.promptId
}

/** Those of the aliases that were free and are the prompts' now. */
export async function insertPromptAliases(
  executor: Executor,
  rows: { alias: string; promptId: number }[],
): Promise<string[]> {
  const { alias } = promptAliases
  const created = await executor.insert(promptAliases).values(rows).onConflictDoNothing().returning({ alias })
  return created.map((row) => row.alias)
}

/** Whether the prompt had it. */
export async function deletePromptAlias(
  executor: Executor,
  { alias, promptId }: { alias: string; promptId: number },
): Promise<boolean> {
  const deleted = await executor
    .delete(promptAliases)
    .where(and(eq(promptAliases.alias, alias), eq(promptAliases.promptId, promptId)))
    .returning({ alias: promptAliases.alias })
  return deleted.length > 0
}

import type { NamedBy } from '@catenary/contracts'
import { inArray } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { prompts, promptTags, promptVersions } from '../../db/schema/index.ts'
import { promptSearchColumns } from '../../db/sql/prompt-search.ts'

/** Many rows by one statement each. */

/** Their ids, in the order of the rows. */
export async function insertPromptRows(
  executor: Executor,
  rows: (typeof prompts.$inferInsert & { namedBy: NamedBy })[],
): Promise<number[]> {
  const created = await executor
    .insert(prompts)
    .values(rows.map((row) => ({ ...row, ...promptSearchColumns(row) })))
    .returning({ id: prompts.id })
  return created.map(({ id }) => id).sort((a, b) => a - b)
}

export async function insertPromptVersions(
  executor: Executor,
  rows: (typeof promptVersions.$inferInsert & { namedBy: NamedBy })[],
): Promise<void> {
  await executor.insert(promptVersions).values(rows)
}

export async function insertPromptTags(
  executor: Executor,
  rows: (typeof promptTags.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await executor.insert(promptTags).values(rows)
}

export async function deletePromptRows(executor: Executor, ids: number[]): Promise<void> {
  await executor.delete(prompts).where(inArray(prompts.id, ids))
}

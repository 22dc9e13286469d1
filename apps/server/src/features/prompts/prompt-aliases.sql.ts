import { and, asc, eq, sql } from 'drizzle-orm'
import { promptNames, prompts } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

export function listPromptAliases(db: Executor, promptId: number) {
  const { name, createdAt, recordId, isAlias } = promptNames
  return db
    .select({ alias: name, createdAt })
    .from(promptNames)
    .where(and(eq(recordId, promptId), eq(isAlias, true)))
    .orderBy(asc(name))
}

interface NamedPrompt {
  alias: string
  promptId: number
}

/** Those of the aliases that were free among their owners' names and are the prompts' now. */
export async function insertPromptAliases(db: Executor, rows: NamedPrompt[]): Promise<string[]> {
  const created = await db.execute<{ name: string }>(sql`
    insert into ${promptNames} (name, owner_id, prompt_id, is_alias)
    select wanted.name, ${prompts.ownerId}, ${prompts.id}, true
    from unnest(${sql.param(rows.map(({ alias }) => alias))}::text[], ${sql.param(rows.map(({ promptId }) => promptId))}::integer[]) as wanted (name, id)
    join ${prompts} on ${prompts.id} = wanted.id
    on conflict do nothing returning name`)
  return created.rows.map(({ name }) => name)
}

export async function findNamesake(
  db: Executor,
  { alias, promptId }: NamedPrompt,
): Promise<number | undefined> {
  const { name, ownerId, recordId } = promptNames
  const [found] = await db
    .select({ promptId: recordId })
    .from(promptNames)
    .where(
      and(
        eq(name, alias),
        sql`${ownerId} = (select owner_id from ${prompts} where ${prompts.id} = ${promptId})`,
      ),
    )
  return found?.promptId
}

export async function deletePromptAlias(db: Executor, { alias, promptId }: NamedPrompt): Promise<boolean> {
  const { name, recordId, isAlias } = promptNames
  const deleted = await db
    .delete(promptNames)
    .where(and(eq(name, alias), eq(recordId, promptId), eq(isAlias, true)))
    .returning({ name })
  return deleted.length > 0
}

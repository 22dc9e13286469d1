import { eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '../../db/executor.ts'
import { preparePlain, underKeys } from '../../db/plain-statement.ts'
import { promptAliases, promptSlugs } from '../../db/schema/index.ts'

/** The prompt that has or had the slug, or that has the alias; plain, as each fetch asks that is not answered from memory. */
export function preparePromptOfName(db: Database): (name: string) => Promise<number | undefined> {
  const name = sql.placeholder('name')
  const bySlug = db
    .select(underKeys({ id: promptSlugs.recordId }))
    .from(promptSlugs)
    .where(eq(promptSlugs.slug, name))
  const byAlias = db
    .select(underKeys({ id: promptAliases.promptId }))
    .from(promptAliases)
    .where(eq(promptAliases.alias, name))
  const find = preparePlain<string, { id: number }>({
    db,
    name: 'find_prompt_of_name',
    query: unionAll(bySlug, byAlias),
    readerOf: () => (wanted) => wanted,
  })
  return async (wanted) => (await find(wanted))[0]?.id
}

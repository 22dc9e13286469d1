import { sql } from 'drizzle-orm'
import type { Database } from '../../db/executor.ts'
import { preparePlain } from '../../db/plain-statement.ts'
import { promptTallies } from '../../db/schema/index.ts'

/** Of public prompts, and of names that lists show. */
const COMMON_SCOPES = [0, -1]

interface Tally {
  categoryId: number
  /** How many of this category the viewer can see. */
  prompts: number
  /** Another text after each change of them. */
  changes: string
}

/** Of each category what the viewer can see; names count for the category 0. */
export function preparePromptTallies(db: Database): (viewerId: number | undefined) => Promise<Tally[]> {
  const { scope, categoryId, prompts, changes } = promptTallies
  const read = preparePlain<number[], Tally>({
    db,
    name: 'prompt_tallies',
    query: db
      .select({
        categoryId: sql`${categoryId}`.as('categoryId'),
        prompts: sql`sum(${prompts})::integer`.as('prompts'),
        changes: sql`sum(${changes})::text`.as('changes'),
      })
      .from(promptTallies)
      .where(sql`${scope} = any(${sql.placeholder('scopes')})`)
      .groupBy(categoryId)
      .orderBy(categoryId),
    readerOf: () => (scopes) => scopes,
  })
  return (viewerId) => read(viewerId === undefined ? COMMON_SCOPES : [...COMMON_SCOPES, viewerId])
}

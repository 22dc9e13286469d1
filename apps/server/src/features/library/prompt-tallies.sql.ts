import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { prompts, promptTallies } from '../../database/schema/index.ts'
import type { Database } from '../../database/statements/executor.ts'
import { hashOf } from '../../database/statements/list-state.ts'
import { preparePlain } from '../../database/statements/plain-statement.ts'
import { isSharedWith } from '../../database/statements/visible-rows.ts'

/** Of public prompts, and of names that lists show. */
const COMMON_SCOPES = [0, -1]

interface Tally {
  categoryId: number
  prompts: number
  changes: string
}

export function preparePromptTallies(db: Database): (viewerId: number | undefined) => Promise<Tally[]> {
  const viewerId = sql.placeholder('viewerId')
  const { scope, categoryId, prompts: counted, changes } = promptTallies
  const tallied = db
    .select({ categoryId, prompts: counted, changes })
    .from(promptTallies)
    .where(or(inArray(scope, COMMON_SCOPES), eq(scope, viewerId)))
  const shared = db
    .select({
      categoryId: prompts.categoryId,
      prompts: sql<number>`1`,
      changes: hashOf(prompts),
    })
    .from(prompts)
    .where(and(sql`not ${prompts.isPublic}`, isSharedWith('prompt', viewerId)))
  const seen = unionAll(tallied, shared).as('seen')
  return preparePlain<number | undefined, Tally>({
    db,
    name: 'prompt_tallies',
    query: db
      .select({
        categoryId: sql`${seen.categoryId}`.as('categoryId'),
        prompts: sql`sum(${seen.prompts})::integer`.as('prompts'),
        changes: sql`sum(${seen.changes})::text`.as('changes'),
      })
      .from(seen)
      .groupBy(seen.categoryId)
      .orderBy(seen.categoryId),
    readerOf: () => (viewerId) => viewerId,
  })
}

import { isNull, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { prompts } from '../../db/schema/index.ts'
import { promptSearchColumns } from '../../db/sql/prompt-search.ts'

/** Few, as texts are long and others wait. */
const BATCH = 50

/** Reads prompts for search that were not read yet: those from before there was such a reading, and what the version before saves. How many. */
export async function keepPromptSearch(executor: Executor): Promise<number> {
  const { id, title, content, settings, revision } = prompts
  const rows = await executor
    .select({ id, title, content, settings, revision })
    .from(prompts)
    .where(isNull(prompts.searchText))
    .orderBy(id)
    .limit(BATCH)
  if (rows.length === 0) return 0
  const read = rows.map((row) => ({ ...row, ...promptSearchColumns(row) }))
  const list = (name: 'searchText' | 'searchTitle' | 'orderTitle') =>
    sql`${sql.param(read.map((row) => row[name]))}::text[]`
  const ids = sql`${sql.param(read.map((row) => row.id))}::integer[]`
  const revisions = sql`${sql.param(read.map((row) => row.revision))}::integer[]`
  const { rowCount } = await executor.execute(sql`
    update ${prompts} set search_text = read.words, search_title = read.title, order_title = read.place
    from unnest(${ids}, ${revisions}, ${list('searchText')}, ${list('searchTitle')}, ${list('orderTitle')})
      as read (id, revision, words, title, place)
    where ${prompts.id} = read.id and ${prompts.revision} = read.revision and ${prompts.searchText} is null`)
  return rowCount ?? 0
}

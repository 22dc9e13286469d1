import { searchText } from '@catenary/contracts'
import { isNull, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { asciiKey } from '../../db/schema/columns.ts'
import { variables } from '../../db/schema/index.ts'
import { clipOf } from '../../db/sql/clipped-text.ts'

const BATCH = 200
/** An address is shown to who may not change the variable without its query, which may hold a key. */
const withoutQuery = sql`substring(${variables.apiUrl} from '^[^?#]*')`
const shown = sql<string>`case ${variables.type}
  when 'api' then ${withoutQuery}
  when 'googleDrive' then ${variables.googleDriveFileName}
  else ${clipOf(variables.content)}
end`

/** What a variable is found by; nobody may find out a query that they do not see by searching for its parts. */
export function variableWords(viewerId: number | undefined): SQL {
  const ownAddress = sql`case when ${variables.type} = 'api' and ${variables.ownerId} = ${viewerId ?? null}::integer
    then ' ' || ${asciiKey(variables.apiUrl)} else '' end`
  return sql`(coalesce(${variables.searchText}, '') || ${ownAddress})`
}

/** Reads for search what was not read yet: a trigger takes the reading away when any of it changes. Called before a search. */
export async function keepVariableSearch(executor: Executor): Promise<void> {
  const { id, name, revision } = variables
  for (;;) {
    const rows = await executor
      .select({ id, name, revision, text: shown })
      .from(variables)
      .where(isNull(variables.searchText))
      .orderBy(id)
      .limit(BATCH)
    if (rows.length === 0) return
    const ids = sql.param(rows.map((row) => row.id))
    const revisions = sql.param(rows.map((row) => row.revision))
    const texts = sql.param(rows.map((row) => searchText(`${row.name} ${row.text}`)))
    await executor.execute(sql`
      update ${variables} set search_text = read.text
      from unnest(${ids}::integer[], ${revisions}::integer[], ${texts}::text[]) as read (id, revision, text)
      where ${id} = read.id and ${revision} = read.revision`)
  }
}

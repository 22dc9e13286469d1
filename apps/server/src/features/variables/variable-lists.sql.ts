import { searchText, searchWords } from '@catenary/contracts'
import { and, asc, count, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { asciiKey } from '../../database/schema/columns.ts'
import { users, variables, variableTags } from '../../database/schema/index.ts'
import { clipOf } from '../../database/statements/clipped-text.ts'
import type { Database, Executor } from '../../database/statements/executor.ts'
import { runLongStatement } from '../../database/statements/long-statements.ts'
import { lowerVariableName, toRecord, variableColumns } from '../../database/statements/record-columns.ts'
import { areInTitlesAlone, hasWords } from '../../database/statements/text-search.ts'
import { variablesVisibleTo } from '../../database/statements/visible-rows.ts'
import type { VariableRecord } from './variables.sql.ts'

interface Listing {
  viewerId: number | undefined
  search?: string | undefined
  tagIds?: number[] | undefined
}

interface Part {
  after: { key: string; id: number } | undefined
  limit: number
}

/** Sealed, of all headers of a variable together: thousands of variables are read at once. */
const HEADERS_MAX_BYTES = 8000

const hasLongHeaders = sql<boolean>`octet_length(${variables.apiHeaders}::text) > ${HEADERS_MAX_BYTES}`
const headerNames = sql`(
  select coalesce(jsonb_object_agg(name, ''), '{}') from jsonb_object_keys(${variables.apiHeaders}) as name
)`

export interface ListedVariableRecord extends VariableRecord {
  contentLength: number
  hasLongHeaders: boolean
}

function isListed(db: Executor, { viewerId, search = '', tagIds = [] }: Listing): SQL | undefined {
  const words = searchWords(search)
  const tagged = db
    .select({ id: variableTags.variableId })
    .from(variableTags)
    .where(inArray(variableTags.tagId, tagIds))
  return and(
    variablesVisibleTo(viewerId),
    tagIds.length > 0 ? inArray(variables.id, tagged) : undefined,
    words.length > 0
      ? hasWords(areInTitlesAlone(words) ? lowerVariableName : variableWords(viewerId), words)
      : undefined,
  )
}

export async function listVariableRows(
  db: Database,
  { after, limit, ...listing }: Listing & Part,
): Promise<ListedVariableRecord[]> {
  if (listing.search) await keepVariableSearch(db)
  const isAfter = after && sql`(${lowerVariableName}, ${variables.id}) > (${after.key}, ${after.id}::integer)`
  const query = db
    .select({
      ...variableColumns,
      content: clipOf(variables.content),
      contentLength: variables.contentLength,
      hasLongHeaders,
      apiHeaders: sql<
        Record<string, string>
      >`case when ${hasLongHeaders} then ${headerNames} else ${variables.apiHeaders} end`,
    })
    .from(variables)
    .innerJoin(users, eq(users.id, variables.ownerId))
    .where(and(isListed(db, listing), isAfter))
    .orderBy(asc(lowerVariableName), asc(variables.id))
    .limit(limit)
  const rows = await (listing.search ? runLongStatement(db, () => query.execute()) : query)
  return rows.map(({ contentLength, hasLongHeaders, ...row }) => ({
    ...toRecord(row),
    contentLength,
    hasLongHeaders,
  }))
}

export async function countVariableRows(db: Database, listing: Listing): Promise<number> {
  const query = db.select({ count: count() }).from(variables).where(isListed(db, listing))
  const [row] = await (listing.search ? runLongStatement(db, () => query.execute()) : query)
  return row?.count ?? 0
}

/** Rows that one statement reads for search. */
const SEARCH_BATCH = 200
/** An address is shown to who may not change the variable without its query, which may hold a key. */
const withoutQuery = sql`substring(${variables.apiUrl} from '^[^?#]*')`
const shown = sql<string>`case ${variables.type}
  when 'api' then ${withoutQuery}
  when 'googleDrive' then ${variables.googleDriveFileName}
  else ${clipOf(variables.content)}
end`

/** What a variable is found by; nobody may find out a query that they do not see by searching for its parts. */
function variableWords(viewerId: number | undefined): SQL {
  const ownAddress = sql`case when ${variables.type} = 'api' and ${variables.ownerId} = ${viewerId ?? null}::integer
    then ' ' || ${asciiKey(variables.apiUrl)} else '' end`
  return sql`(coalesce(${variables.searchText}, '') || ${ownAddress})`
}

/** Fills in search texts that are missing; a trigger removes them when any part changes. Called before a search. */
async function keepVariableSearch(db: Executor): Promise<void> {
  const { id, name, revision } = variables
  for (;;) {
    const rows = await db
      .select({ id, name, revision, text: shown })
      .from(variables)
      .where(isNull(variables.searchText))
      .orderBy(id)
      .limit(SEARCH_BATCH)
    if (rows.length === 0) return
    const ids = sql.param(rows.map((row) => row.id))
    const revisions = sql.param(rows.map((row) => row.revision))
    const texts = sql.param(rows.map((row) => searchText(`${row.name} ${row.text}`)))
    await db.execute(sql`
      update ${variables} set search_text = read.text
      from unnest(${ids}::integer[], ${revisions}::integer[], ${texts}::text[]) as read (id, revision, text)
      where ${id} = read.id and ${revision} = read.revision`)
  }
}

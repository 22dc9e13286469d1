import { searchWords } from '@catenary/contracts'
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor } from '../../db/executor.ts'
import { runLongStatement } from '../../db/long-statements.ts'
import { users, variables, variableTags } from '../../db/schema/index.ts'
import { clipOf } from '../../db/sql/clipped-text.ts'
import { lowerVariableName, toRecord, variableColumns } from '../../db/sql/record-columns.ts'
import { areInTitlesAlone, hasWords } from '../../db/sql/text-search.ts'
import { variablesVisibleTo } from '../../db/sql/visible-rows.ts'
import type { VariableRecord } from './variable-record.ts'
import { keepVariableSearch, variableWords } from './variable-search.repository.ts'

/** The viewer, and the filters of the list. */
interface Listing {
  viewerId: number | undefined
  search?: string | undefined
  /** Only those with any of these. */
  tagIds?: number[] | undefined
}

interface Part {
  /** Only what comes after the variable of this name, in lower case, and id. */
  after: { key: string; id: number } | undefined
  limit: number
}

/** Sealed, of all headers of a variable together: thousands of variables are read at once. */
const HEADERS_MAX_BYTES = 8000

const hasLongHeaders = sql<boolean>`octet_length(${variables.apiHeaders}::text) > ${HEADERS_MAX_BYTES}`
const headerNames = sql`(
  select coalesce(jsonb_object_agg(name, ''), '{}') from jsonb_object_keys(${variables.apiHeaders}) as name
)`

/** A variable as lists show it: with the beginning of its content, and of long headers the names alone. */
export interface ListedVariableRecord extends VariableRecord {
  contentLength: number
  hasLongHeaders: boolean
}

function isListed(executor: Executor, { viewerId, search = '', tagIds = [] }: Listing): SQL | undefined {
  const words = searchWords(search)
  const tagged = executor
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

/** By name. */
export async function listVariables(
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

export async function countVariables(db: Database, listing: Listing): Promise<number> {
  const query = db.select({ count: count() }).from(variables).where(isListed(db, listing))
  const [row] = await (listing.search ? runLongStatement(db, () => query.execute()) : query)
  return row?.count ?? 0
}

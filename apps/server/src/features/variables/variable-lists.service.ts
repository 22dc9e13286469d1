import type { ListedVariable, ListVariablesQuery, User, Variable } from '@catenary/contracts'
import * as z from 'zod'
import type { Database } from '../../db/executor.ts'
import {
  clipFields,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../list-page.ts'
import { countVariables, type ListedVariableRecord, listVariables } from './variable-lists.repository.ts'
import type { VariableRecord } from './variable-record.ts'

const { id, text: key } = cursorPosition
const CURSOR = defineCursor({ list: 'variables', position: z.strictObject({ key, id }) })

interface VariableListsDeps {
  db: Database
  toVariable: (record: VariableRecord, viewer: User | null) => Variable
}

/** The lists of variables: which, by name, and how many there are. */
export function createVariableLists({ db, toVariable }: VariableListsDeps) {
  function toListed(record: ListedVariableRecord, viewer: User | null): ListedVariable {
    const { contentLength, hasLongHeaders, ...rest } = record
    const marks = clipFields(contentLength)
    if (!hasLongHeaders) return { ...toVariable(rest, viewer), ...marks }
    const { apiHeaders } = rest
    return {
      ...toVariable({ ...rest, apiHeaders: {} }, viewer),
      ...marks,
      apiHeaders,
      apiHeadersClipped: true,
    }
  }

  return {
    /** What the viewer can see; with tag ids only those with any of the tags (D19). Throws `invalid` for a foreign cursor. */
    async list({
      viewer,
      query,
    }: ListRequest<{ viewer: User | null }, ListVariablesQuery>): Promise<ListPage<ListedVariable>> {
      const { limit, cursor, ...filter } = query
      const after = CURSOR.read(cursor)
      const listing = { viewerId: viewer?.id, ...filter }
      const records = await listVariables(db, { ...listing, after, limit: limit + 1 })
      return toPage({
        rows: records,
        limit,
        total: after ? undefined : { count: await countVariables(db, listing) },
        toItem: (record) => toListed(record, viewer),
        cursorOf: ({ name, id }) => CURSOR.write({ key: name.toLowerCase(), id }),
      })
    },
  }
}

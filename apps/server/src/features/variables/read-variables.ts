import type { ListedVariable, ListVariablesQuery, User, Variable } from '@catenary/contracts'
import * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import type { AppContext, Context } from '../../platform/context.ts'
import {
  clipFields,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { createRecordAccess } from '../records/records.ts'
import { showHeaders } from './variable-headers.ts'
import { countVariableRows, type ListedVariableRecord, listVariableRows } from './variable-lists.sql.ts'
import { withoutQuery } from './variable-sources.ts'
import { canChangeVariable, canSeeVariable } from './variables.policy.ts'
import { findOptionalVariable, lockOptionalVariable, type VariableRecord } from './variables.sql.ts'

const { id, text: key } = cursorPosition
const CURSOR = defineCursor({ list: 'variables', position: z.strictObject({ key, id }) })

const { requireVisible, openForChange } = createRecordAccess<VariableRecord, Context<Transaction>>({
  noun: 'variable',
  canSee: canSeeVariable,
  canChange: canChangeVariable,
  lock: ({ db }, { id }) => lockOptionalVariable(db, id),
  show: (ctx, { stored, viewer }) => showVariable(ctx, { record: stored, user: viewer }),
})

export { openForChange }

export async function findVariable(
  { db }: Context,
  { id, user }: { id: number; user: User | null },
): Promise<VariableRecord> {
  return requireVisible(await findOptionalVariable(db, id), user)
}

export function showVariable(
  ctx: Context,
  { record: { ownerId, ...shown }, user }: { record: VariableRecord; user: User | null },
): Variable {
  const canChange = canChangeVariable(user, { ownerId, isPublic: shown.isPublic })
  const { apiHeaders: sealed, id: variableId, apiUrl } = shown
  // Others get the names only (D24).
  const apiHeaders = canChange
    ? showHeaders(ctx, { place: { variableId, apiUrl }, sealed })
    : Object.fromEntries(Object.keys(sealed).map((name) => [name, '']))
  // The query may hold a key.
  const shownUrl = canChange ? apiUrl : withoutQuery(apiUrl)
  return { ...shown, apiUrl: shownUrl, apiHeaders, canEdit: canChange, canDelete: canChange }
}

/** What the user can see, by name; with tag ids only those with any of the tags (D19). Throws `invalid` for a foreign cursor. */
export async function listVariables(
  ctx: AppContext,
  { user, query }: ListRequest<{ user: User | null }, ListVariablesQuery>,
): Promise<ListPage<ListedVariable>> {
  const { db } = ctx
  const { limit, cursor, ...filter } = query
  const after = CURSOR.read(cursor)
  const listing = { viewerId: user?.id, ...filter }
  return toPage({
    rows: await listVariableRows(db, { ...listing, after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countVariableRows(db, listing) },
    toItem: (record) => showListed(ctx, { record, user }),
    cursorOf: ({ name, id }) => CURSOR.write({ key: name.toLowerCase(), id }),
  })
}

function showListed(
  ctx: Context,
  { record, user }: { record: ListedVariableRecord; user: User | null },
): ListedVariable {
  const { contentLength, hasLongHeaders, ...rest } = record
  const marks = clipFields(contentLength)
  if (!hasLongHeaders) return { ...showVariable(ctx, { record: rest, user }), ...marks }
  const { apiHeaders } = rest
  const shown = showVariable(ctx, { record: { ...rest, apiHeaders: {} }, user })
  return { ...shown, ...marks, apiHeaders, apiHeadersClipped: true }
}

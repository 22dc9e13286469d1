import type { Variable } from '@catenary/contracts'
import { and, asc, desc, eq, lte, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { users, variableFetches, variables } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { lowerVariableName, toRecord, variableColumns } from '../../database/statements/record-columns.ts'
import { sealedColumn } from '../../database/statements/sealed-columns.ts'
import { violatedConstraint } from '../../database/statements/violated-constraint.ts'
import { variablesVisibleTo } from '../../database/statements/visible-rows.ts'
import { onePerApp } from '../../platform/context.ts'
import { headerContextOf } from './variable-headers.ts'

/** A variable as stored: header values are sealed. */
export type VariableRecord = Omit<Variable, 'canEdit' | 'canDelete'> & { ownerId: number }

const NAMES = ['variables_owner_key', 'variables_owner_name_lower']

type VariableFields = Omit<typeof variables.$inferInsert, 'ownerId' | 'revision' | 'createdAt' | 'updatedAt'>

function selectVariables(db: Executor) {
  return db.select(variableColumns).from(variables).innerJoin(users, eq(users.id, variables.ownerId))
}

export async function findOptionalVariable(db: Executor, id: number): Promise<VariableRecord | undefined> {
  const [found] = await selectVariables(db).where(eq(variables.id, id))
  return found && toRecord(found)
}

export async function getVariable(db: Executor, id: number): Promise<VariableRecord> {
  const found = await findOptionalVariable(db, id)
  if (found === undefined) throw new Error(`There is no variable ${id}`)
  return found
}

export async function lockOptionalVariable(tx: Transaction, id: number): Promise<VariableRecord | undefined> {
  // In two steps: a row that was waited for comes with its tags from before the wait.
  await tx.select({ id: variables.id }).from(variables).where(eq(variables.id, id)).for('update')
  return findOptionalVariable(tx, id)
}

const {
  owner: _,
  ownerIsAdmin: __,
  tags: ___,
  createdAt: ____,
  updatedAt: _____,
  ...meantColumns
} = variableColumns

/** Per name, the variable that the viewer means comes first: their own, else an admin's, else the oldest (D22, D52). */
function byPrecedence(viewerId: number | Placeholder): SQL[] {
  const { ownerIsAdmin } = variableColumns
  return [desc(eq(variables.ownerId, viewerId)), desc(ownerIsAdmin), asc(variables.id)]
}

/** For each name the variable that the viewer means; prepared, as each run asks. */
export const variablesByNames = onePerApp(({ db }) => {
  const viewerId = sql.placeholder('viewerId')
  const prepared = db
    .selectDistinctOn([lowerVariableName], meantColumns)
    .from(variables)
    .innerJoin(users, eq(users.id, variables.ownerId))
    .where(and(variablesVisibleTo(viewerId), sql`${lowerVariableName} = any(${sql.placeholder('wanted')})`))
    .orderBy(lowerVariableName, ...byPrecedence(viewerId))
    .prepare('list_variables_by_names')
  return ({ viewerId, names }: { viewerId: number | undefined; names: string[] }) =>
    prepared.execute({ viewerId: viewerId ?? null, wanted: names.map((name) => name.toLowerCase()) })
})

export async function listLimitedNames(db: Executor): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ name: sql<string>`${lowerVariableName}` })
    .from(variables)
    .where(sql`${variables.allowedValues} <> '{}'`)
  return new Set(rows.map(({ name }) => name))
}

export function listByPrecedence(
  db: Executor,
  { viewerId, name }: { viewerId: number; name?: string },
): Promise<{ id: number; name: string }[]> {
  const isNamed = name === undefined ? undefined : eq(lowerVariableName, name.toLowerCase())
  return db
    .select({ id: variables.id, name: sql<string>`${lowerVariableName}` })
    .from(variables)
    .innerJoin(users, eq(users.id, variables.ownerId))
    .where(and(variablesVisibleTo(viewerId), isNamed))
    .orderBy(lowerVariableName, ...byPrecedence(viewerId))
}

/** The new variable's id, or undefined when the owner has one of that name without regard to case. */
export async function insertVariable(
  db: Executor,
  variable: VariableFields & { ownerId: number },
): Promise<number | undefined> {
  const [created] = await db
    .insert(variables)
    .values(variable)
    .onConflictDoNothing()
    .returning({ id: variables.id })
  return created?.id
}

export async function updateVariableRow(
  tx: Transaction,
  { id, ...fields }: Partial<VariableFields> & { id: number },
): Promise<boolean> {
  try {
    await tx
      .update(variables)
      .set({ ...fields, revision: sql`${variables.revision} + 1`, updatedAt: sql`now()` })
      .where(eq(variables.id, id))
    return true
  } catch (error) {
    if (NAMES.includes(violatedConstraint(error) ?? '')) return false
    throw error
  }
}

/** Sealed for this variable, and so only once it has its id. */
export async function saveNewVariableHeaders(
  db: Executor,
  { id, apiHeaders }: { id: number; apiHeaders: Record<string, string> },
): Promise<void> {
  await db.update(variables).set({ apiHeaders }).where(eq(variables.id, id))
}

/** Whose it was, and its name; undefined where there was none. */
export async function deleteVariableRow(db: Executor, id: number) {
  const { ownerId, name } = variables
  const [deleted] = await db.delete(variables).where(eq(variables.id, id)).returning({ ownerId, name })
  return deleted
}

interface Fetched {
  variableId: number
  revision: number
}

export async function findOptionalFetch(db: Executor, { variableId, revision }: Fetched) {
  const [found] = await db
    .select({ content: variableFetches.content, fetchedAt: variableFetches.fetchedAt })
    .from(variableFetches)
    .where(and(eq(variableFetches.variableId, variableId), eq(variableFetches.revision, revision)))
  return found
}

/** Keeps the value, unless the variable has been deleted or changed since. */
export async function saveFetch(
  db: Executor,
  { variableId, revision, content, fetchedAt }: Fetched & { content: string; fetchedAt: Date },
): Promise<void> {
  await db
    .insert(variableFetches)
    .select(
      db
        .select({
          variableId: variables.id,
          revision: variables.revision,
          content: sql<string>`${content}::text`.as('content'),
          fetchedAt: sql<Date>`${fetchedAt.toISOString()}::timestamptz`.as('fetched_at'),
        })
        .from(variables)
        .where(and(eq(variables.id, variableId), eq(variables.revision, revision))),
    )
    .onConflictDoUpdate({
      target: variableFetches.variableId,
      set: { revision, content, fetchedAt },
      setWhere: lte(variableFetches.revision, revision),
    })
}

export async function deleteFetch(db: Executor, variableId: number): Promise<void> {
  await db.delete(variableFetches).where(eq(variableFetches.variableId, variableId))
}

export const sealedHeaders = sealedColumn({
  what: 'header values of variables',
  id: variables.id,
  column: variables.apiHeaders,
  beside: { apiUrl: variables.apiUrl },
  contextOf: ({ id, apiUrl }, name) => headerContextOf({ variableId: id, apiUrl }, name),
})

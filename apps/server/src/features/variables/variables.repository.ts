import { and, asc, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { users, variables, variableTags } from '../../db/schema/index.ts'
import { lowerVariableName, toRecord, variableColumns } from '../../db/sql/record-columns.ts'
import { variablesVisibleTo } from '../../db/sql/visible-rows.ts'
import { violatedConstraint } from '../../db/violated-constraint.ts'
import type { VariableRecord } from './variable-record.ts'

const NAMES = ['variables_owner_key', 'variables_owner_name_lower']

type VariableFields = Omit<typeof variables.$inferInsert, 'ownerId' | 'revision' | 'createdAt' | 'updatedAt'>

function selectVariables(executor: Executor) {
  return executor.select(variableColumns).from(variables).innerJoin(users, eq(users.id, variables.ownerId))
}

export async function findOptionalVariable(
  executor: Executor,
  id: number,
): Promise<VariableRecord | undefined> {
  const [found] = await selectVariables(executor).where(eq(variables.id, id))
  return found && toRecord(found)
}

export async function findVariable(executor: Executor, id: number): Promise<VariableRecord> {
  const found = await findOptionalVariable(executor, id)
  if (found === undefined) throw new Error(`There is no variable ${id}`)
  return found
}

/** The current state, kept from other writers until the transaction ends. */
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

/** Prepared, as each run asks: for each name the variable that the viewer means. */
export function prepareListVariablesByNames(db: Database) {
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
}

/** The names, in lower case, of all variables that allow certain values alone. */
export async function listLimitedNames(executor: Executor): Promise<Set<string>> {
  const rows = await executor
    .selectDistinct({ name: sql<string>`${lowerVariableName}` })
    .from(variables)
    .where(sql`${variables.allowedValues} <> '{}'`)
  return new Set(rows.map(({ name }) => name))
}

/** What the viewer can see, of each name first the one that the viewer means. */
export function listByPrecedence(
  executor: Executor,
  { viewerId, name }: { viewerId: number; name?: string },
): Promise<{ id: number; name: string }[]> {
  const isNamed = name === undefined ? undefined : eq(lowerVariableName, name.toLowerCase())
  return executor
    .select({ id: variables.id, name: sql<string>`${lowerVariableName}` })
    .from(variables)
    .innerJoin(users, eq(users.id, variables.ownerId))
    .where(and(variablesVisibleTo(viewerId), isNamed))
    .orderBy(lowerVariableName, ...byPrecedence(viewerId))
}

/** The new variable's id, or undefined when the owner has one of that name without regard to case. */
export async function createVariable(
  executor: Executor,
  variable: VariableFields & { ownerId: number },
): Promise<number | undefined> {
  const [created] = await executor
    .insert(variables)
    .values(variable)
    .onConflictDoNothing()
    .returning({ id: variables.id })
  return created?.id
}

/** Saves the given fields: a new revision, updated now. False when the owner has another variable of that name. */
export async function updateVariable(
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
  executor: Executor,
  { id, apiHeaders }: { id: number; apiHeaders: Record<string, string> },
): Promise<void> {
  await executor.update(variables).set({ apiHeaders }).where(eq(variables.id, id))
}

/** Whose it was, and its name; undefined where there was none. */
export async function deleteVariable(executor: Executor, id: number) {
  const { ownerId, name } = variables
  const [deleted] = await executor.delete(variables).where(eq(variables.id, id)).returning({ ownerId, name })
  return deleted
}

export async function replaceVariableTags(
  executor: Executor,
  { variableId, tagIds }: { variableId: number; tagIds: number[] },
): Promise<void> {
  await executor.delete(variableTags).where(eq(variableTags.variableId, variableId))
  const rows = [...new Set(tagIds)].map((tagId) => ({ variableId, tagId }))
  if (rows.length > 0) await executor.insert(variableTags).values(rows)
}

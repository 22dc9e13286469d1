import type { ListedTestSuite, TestSuite } from '@catenary/contracts'
import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { asciiKey } from '../../database/schema/columns.ts'
import { testCases, testSuites } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import type { RecordKey } from '../records/records.ts'

export type SuiteRow = typeof testSuites.$inferSelect
type SuiteFields = Pick<
  SuiteRow,
  'name' | 'defaultValues' | 'defaultAssertions' | 'defaultThreshold' | 'defaultNotRun' | 'imported'
>

const RECORD = { prompt: testSuites.promptId, chain: testSuites.chainId } as const

export function recordOf({ promptId, chainId }: Pick<SuiteRow, 'promptId' | 'chainId'>): RecordKey {
  if (promptId !== null) return { kind: 'prompt', id: promptId }
  if (chainId !== null) return { kind: 'chain', id: chainId }
  throw new Error('A suite is of a prompt or of a chain')
}

const ofSuite = sql`from ${testCases} where ${testCases}.suite_id = ${testSuites}.id`
const caseCount = sql<number>`(select count(*)::int ${ofSuite})`
const withReasons = sql`jsonb_path_query_array(${testCases}.not_run, '$[*] ? (@.reason != null)')`
const notRunOfCases = sql<number>`(select coalesce(sum(jsonb_array_length(${withReasons})), 0)::int ${ofSuite})`

const counted = { ...getTableColumns(testSuites), caseCount, notRunOfCases }
export type CountedSuite = SuiteRow & { caseCount: number; notRunOfCases: number }

export function listSuiteRows(db: Executor, { kind, id }: RecordKey): Promise<CountedSuite[]> {
  return db
    .select(counted)
    .from(testSuites)
    .where(eq(RECORD[kind], id))
    .orderBy(asc(asciiKey(testSuites.name)), asc(testSuites.id))
}

export async function countSuites(db: Executor, { kind, id }: RecordKey): Promise<number> {
  return db.$count(testSuites, eq(RECORD[kind], id))
}

export async function findOptionalSuite(db: Executor, id: number): Promise<CountedSuite | undefined> {
  const [found] = await db.select(counted).from(testSuites).where(eq(testSuites.id, id))
  return found
}

export async function lockOptionalSuite(tx: Transaction, id: number): Promise<SuiteRow | undefined> {
  const [found] = await tx.select().from(testSuites).where(eq(testSuites.id, id)).for('update')
  return found
}

export async function insertSuite(
  db: Executor,
  { kind, id, ownerId, ...fields }: RecordKey & { ownerId: number } & SuiteFields,
): Promise<number> {
  const record = kind === 'prompt' ? { promptId: id } : { chainId: id }
  const [created] = await db
    .insert(testSuites)
    .values({ ...record, ownerId, ...fields, bytes: bytesOf(fields) })
    .returning({ id: testSuites.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

export async function updateSuiteRow(
  db: Executor,
  { id, fields }: { id: number; fields?: SuiteFields },
): Promise<void> {
  await db
    .update(testSuites)
    .set({
      ...(fields && { ...fields, bytes: bytesOf(fields) }),
      revision: sql`${testSuites.revision} + 1`,
      updatedAt: sql`now()`,
    })
    .where(eq(testSuites.id, id))
}

export async function deleteSuiteRow(db: Executor, id: number): Promise<void> {
  await db.delete(testSuites).where(eq(testSuites.id, id))
}

function bytesOf({ name, defaultValues, defaultAssertions, defaultNotRun, imported }: SuiteFields): number {
  return Buffer.byteLength(JSON.stringify([name, defaultValues, defaultAssertions, defaultNotRun, imported]))
}

export function toListed(row: CountedSuite, canEdit: boolean): ListedTestSuite {
  const { id, promptId, chainId, name, revision, caseCount } = row
  return {
    id,
    promptId,
    chainId,
    name,
    revision,
    canEdit,
    caseCount,
    notRunCount: row.notRunOfCases + withReason(row.defaultNotRun) + withReason(row.imported),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toSuite(row: CountedSuite, canEdit: boolean): TestSuite {
  return {
    ...toListed(row, canEdit),
    defaults: {
      values: row.defaultValues,
      assertions: row.defaultAssertions,
      threshold: row.defaultThreshold,
      notRun: row.defaultNotRun,
    },
    imported: row.imported,
  }
}

function withReason(items: SuiteRow['imported']): number {
  return items.filter(({ reason }) => reason !== null).length
}

import type { TestCase } from '@catenary/contracts'
import { and, asc, eq, gt, or, sql } from 'drizzle-orm'
import { testCases } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { bytesOf, type CaseFields } from './case-size.ts'

interface CaseOfSuite {
  id: number
  suiteId: number
}

const caseColumns = {
  id: testCases.id,
  position: testCases.position,
  name: testCases.name,
  input: testCases.input,
  values: testCases.values,
  tags: testCases.tags,
  assertions: testCases.assertions,
  threshold: testCases.threshold,
  skipsDefaults: testCases.skipsDefaults,
  given: testCases.given,
  notRun: testCases.notRun,
  revision: testCases.revision,
}

type CaseRow = Omit<TestCase, 'given'> & { given: Record<string, string> | null }

/** What is absent leaves a test, and the hash of its evaluations, as they were before there was such a thing. */
function toCase({ given, ...row }: CaseRow): TestCase {
  return given === null ? row : { ...row, given }
}

function isCase({ id, suiteId }: CaseOfSuite) {
  return and(eq(testCases.id, id), eq(testCases.suiteId, suiteId))
}

const inOrder = [asc(testCases.position), asc(testCases.id)]

interface Listing {
  suiteId: number
  after?: { position: number; id: number } | undefined
  limit?: number
}

export async function listCaseRows(db: Executor, { suiteId, after, limit }: Listing): Promise<TestCase[]> {
  const isAfter =
    after &&
    or(
      gt(testCases.position, after.position),
      and(eq(testCases.position, after.position), gt(testCases.id, after.id)),
    )
  const rows = db
    .select(caseColumns)
    .from(testCases)
    .where(and(eq(testCases.suiteId, suiteId), isAfter))
    .orderBy(...inOrder)
    .$dynamic()
  return (await (limit === undefined ? rows : rows.limit(limit))).map(toCase)
}

export async function listCaseIds(db: Executor, suiteId: number): Promise<number[]> {
  const rows = await db
    .select({ id: testCases.id })
    .from(testCases)
    .where(eq(testCases.suiteId, suiteId))
    .orderBy(...inOrder)
  return rows.map(({ id }) => id)
}

export async function findOptionalCase(db: Executor, wanted: CaseOfSuite): Promise<TestCase | undefined> {
  const [found] = await db.select(caseColumns).from(testCases).where(isCase(wanted))
  return found && toCase(found)
}

interface NewCases {
  suiteId: number
  ownerId: number
  /** Of the first one. */
  position: number
  cases: CaseFields[]
}

const ROWS_AT_ONCE = 200

export async function insertCases(
  db: Executor,
  { suiteId, ownerId, position, cases }: NewCases,
): Promise<TestCase[]> {
  const created: TestCase[] = []
  for (let from = 0; from < cases.length; from += ROWS_AT_ONCE) {
    const rows = cases.slice(from, from + ROWS_AT_ONCE).map((fields, index) => ({
      ...fields,
      suiteId,
      ownerId,
      position: position + from + index,
      bytes: bytesOf(fields),
    }))
    created.push(...(await db.insert(testCases).values(rows).returning(caseColumns)).map(toCase))
  }
  return created
}

export async function updateCaseRow(
  db: Executor,
  { id, suiteId, ...fields }: CaseOfSuite & CaseFields,
): Promise<TestCase> {
  const [updated] = await db
    .update(testCases)
    .set({ ...fields, bytes: bytesOf(fields), revision: sql`${testCases.revision} + 1` })
    .where(isCase({ id, suiteId }))
    .returning(caseColumns)
  if (updated === undefined) throw new Error(`There is no case ${id} in suite ${suiteId}`)
  return toCase(updated)
}

export async function deleteCaseRow(db: Executor, wanted: CaseOfSuite): Promise<boolean> {
  const { rowCount } = await db.delete(testCases).where(isCase(wanted))
  return rowCount === 1
}

export async function deleteCaseRows(db: Executor, suiteId: number): Promise<void> {
  await db.delete(testCases).where(eq(testCases.suiteId, suiteId))
}

/** Numbers the cases of the suite from 0 in the order of the ids. */
export async function updateCasePositions(
  db: Executor,
  { suiteId, caseIds }: { suiteId: number; caseIds: number[] },
): Promise<void> {
  await db.execute(sql`
    update ${testCases} set position = wanted.number - 1
    from unnest(${sql.param(caseIds)}::int[]) with ordinality as wanted (id, number)
    where ${testCases.id} = wanted.id and ${testCases.suiteId} = ${suiteId}`)
}

interface SuiteSize {
  count: number
  bytes: number
  /** After the last one. */
  position: number
}

export async function sizeOf(db: Executor, suiteId: number): Promise<SuiteSize> {
  const [found] = await db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(${testCases.bytes}), 0)::int`,
      position: sql<number>`coalesce(max(${testCases.position}) + 1, 0)::int`,
    })
    .from(testCases)
    .where(eq(testCases.suiteId, suiteId))
  return found ?? { count: 0, bytes: 0, position: 0 }
}

import {
  type createTestCaseRequest,
  TEST_CASE_BYTES_MAX,
  TEST_CASES_MAX,
  TEST_NAME_MAX,
  TEST_SUITE_BYTES_MAX,
  type TestCase,
  type UpdateTestCaseRequest,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import type { Change } from '../records/records.ts'
import { nameOfCopy } from '../records/records.ts'
import { bytesOf, type CaseFields } from './case-size.ts'
import { openSuiteForChange, requireVisibleSuite } from './suite-access.ts'
import {
  deleteCaseRow,
  findOptionalCase,
  insertCases,
  listCaseIds,
  listCaseRows,
  sizeOf,
  updateCasePositions,
  updateCaseRow,
} from './test-cases.sql.ts'
import { updateSuiteRow } from './test-suites.sql.ts'

/** Each is read whole. */
const PAGE_MAX = 100
const CURSOR = defineCursor({
  list: 'test cases',
  position: z.strictObject({ position: cursorPosition.id, id: cursorPosition.id }),
})

type CaseChange = Change & { caseId: number }

export async function listCases(
  ctx: Context,
  { id, user, query }: ListRequest<{ id: number; user: User }>,
): Promise<ListPage<TestCase>> {
  const { row } = await requireVisibleSuite(ctx, { id, user })
  const after = CURSOR.read(query.cursor)
  const limit = Math.min(query.limit, PAGE_MAX)
  return toPage({
    rows: await listCaseRows(ctx.db, { suiteId: id, after, limit: limit + 1 }),
    limit,
    toItem: (row) => row,
    total: after ? undefined : { count: row.caseCount },
    cursorOf: ({ position, id }) => CURSOR.write({ position, id }),
  })
}

export async function findCase(
  ctx: Context,
  { id, caseId, user }: { id: number; caseId: number; user: User },
): Promise<TestCase> {
  await requireVisibleSuite(ctx, { id, user })
  return requireCase(await findOptionalCase(ctx.db, { id: caseId, suiteId: id }))
}

export function addCase(
  ctx: Context,
  { fields, ...change }: Change & { fields: Omit<z.output<typeof createTestCaseRequest>, 'revision'> },
): Promise<TestCase> {
  return transaction(ctx, async (ctx) => {
    const suite = await openSuiteForChange(ctx, change)
    await record(ctx, { kind: 'suite.case_added', suite })
    return append(ctx, { suite, fields: { ...fields, notRun: [] } })
  })
}

export function saveCase(
  ctx: Context,
  { caseId, fields, revision, ...change }: CaseChange & { fields: Omit<UpdateTestCaseRequest, 'revision'> },
): Promise<TestCase> {
  return transaction(ctx, async (ctx) => {
    const suite = await openSuiteForChange(ctx, change)
    const { id: suiteId } = suite
    const details = requireCase(await findOptionalCase(ctx.db, { id: caseId, suiteId }))
    if (revision !== undefined && revision !== details.revision) {
      throw new AppError('conflict', 'This test was changed since you opened it', { details })
    }
    const stored = fieldsOf(details)
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const changed: CaseFields = { ...stored, ...given }
    requireSize((await sizeOf(ctx.db, suiteId)).bytes - bytesOf(stored), changed)
    const saved = await updateCaseRow(ctx.db, { id: caseId, suiteId, ...changed })
    await updateSuiteRow(ctx.db, { id: suiteId })
    await record(ctx, { kind: 'suite.case_changed', suite })
    return saved
  })
}

export function deleteCase(ctx: Context, { caseId, ...change }: CaseChange): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const suite = await openSuiteForChange(ctx, change)
    const { id: suiteId } = suite
    if (!(await deleteCaseRow(ctx.db, { id: caseId, suiteId }))) throw caseNotFound()
    await updateSuiteRow(ctx.db, { id: suiteId })
    await record(ctx, { kind: 'suite.case_deleted', suite })
  })
}

export function duplicateCase(ctx: Context, { caseId, ...change }: CaseChange): Promise<TestCase> {
  return transaction(ctx, async (ctx) => {
    const suite = await openSuiteForChange(ctx, change)
    const found = await findOptionalCase(ctx.db, { id: caseId, suiteId: suite.id })
    const fields = fieldsOf(requireCase(found))
    const name = nameOfCopy(fields.name, TEST_NAME_MAX)
    await record(ctx, { kind: 'suite.case_duplicated', suite })
    return append(ctx, { suite, fields: { ...fields, name } })
  })
}

/** Throws `invalid` unless the ids are those of all cases, each once. */
export function reorderCases(
  ctx: Context,
  { caseIds, ...change }: Change & { caseIds: number[] },
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const suite = await openSuiteForChange(ctx, change)
    const { id: suiteId } = suite
    requireEachOnce(caseIds, new Set(await listCaseIds(ctx.db, suiteId)))
    await updateCasePositions(ctx.db, { suiteId, caseIds })
    await updateSuiteRow(ctx.db, { id: suiteId })
    await record(ctx, { kind: 'suite.cases_reordered', suite })
  })
}

interface OwnedSuite {
  id: number
  ownerId: number
}

interface Recorded {
  kind: `suite.${'case_added' | 'case_changed' | 'case_deleted' | 'case_duplicated' | 'cases_reordered'}`
  suite: OwnedSuite
}

function record(ctx: Context<Transaction>, { kind, suite: { id, ownerId } }: Recorded): Promise<void> {
  return recordActivity(ctx, { kind, object: 'suite', id, ownerId })
}

async function append(
  { db }: Context<Transaction>,
  { suite: { id: suiteId, ownerId }, fields }: { suite: OwnedSuite; fields: CaseFields },
): Promise<TestCase> {
  const { count, bytes, position } = await sizeOf(db, suiteId)
  if (count >= TEST_CASES_MAX) {
    throw new AppError('conflict', `A suite can have at most ${TEST_CASES_MAX.toLocaleString('en')} cases`)
  }
  requireSize(bytes, fields)
  const [created] = await insertCases(db, { suiteId, ownerId, position, cases: [fields] })
  if (created === undefined) throw new Error('The insert returned no row')
  await updateSuiteRow(db, { id: suiteId })
  return created
}

function requireSize(bytesOfOthers: number, fields: CaseFields): void {
  const bytes = bytesOf(fields)
  if (bytes > TEST_CASE_BYTES_MAX) {
    throw new AppError('invalid', `A case can be at most ${TEST_CASE_BYTES_MAX / 1000} kB`)
  }
  if (bytesOfOthers + bytes > TEST_SUITE_BYTES_MAX) {
    throw new AppError('conflict', `A suite can be at most ${TEST_SUITE_BYTES_MAX / 1_000_000} MB`)
  }
}

function requireEachOnce(caseIds: number[], existing: ReadonlySet<number>): void {
  const isWhole = new Set(caseIds).size === existing.size && caseIds.length === existing.size
  if (!isWhole || !caseIds.every((id) => existing.has(id))) {
    throw fieldError('caseIds', 'List each test of the suite exactly once')
  }
}

const fieldsOf = ({ id: _, position: __, revision: ___, ...fields }: TestCase): CaseFields => fields

function requireCase(found: TestCase | undefined): TestCase {
  if (found === undefined) throw caseNotFound()
  return found
}

function caseNotFound(): AppError {
  return new AppError('not_found', 'Case not found')
}

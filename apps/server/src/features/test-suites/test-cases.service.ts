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
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { nameOfCopy } from '../../name-of-copy.ts'
import type { Change } from '../../record-access.ts'
import type { RecordPorts } from '../records/records.ts'
import { bytesOf, type CaseFields } from './case-size.ts'
import { createSuiteAccess } from './suite-access.service.ts'
import {
  createCases,
  deleteCase,
  findOptionalCase,
  listCaseIds,
  listCases,
  sizeOf,
  updateCase,
  updateCasePositions,
} from './test-cases.repository.ts'
import { updateSuite } from './test-suites.repository.ts'

/** Each is read whole. */
const PAGE_MAX = 100
const CURSOR = defineCursor({
  list: 'test cases',
  position: z.strictObject({ position: cursorPosition.id, id: cursorPosition.id }),
})

export type TestCasesService = ReturnType<typeof createTestCasesService>

type CaseChange = Change & { caseId: number }

/** Cases of a suite. Each change locks the suite, and raises its revision once. */
export function createTestCasesService({ db, records }: { db: Database; records: RecordPorts }) {
  const access = createSuiteAccess({ records })

  async function append(
    tx: Transaction,
    { suiteId, ownerId, fields }: { suiteId: number; ownerId: number; fields: CaseFields },
  ): Promise<TestCase> {
    const { count, bytes, position } = await sizeOf(tx, suiteId)
    if (count >= TEST_CASES_MAX) {
      throw new AppError('conflict', `A suite has at most ${TEST_CASES_MAX.toLocaleString('en')} cases`)
    }
    requireSize(bytes, fields)
    const [created] = await createCases(tx, { suiteId, ownerId, position, cases: [fields] })
    if (created === undefined) throw new Error('The insert returned no row')
    await updateSuite(tx, { id: suiteId })
    return created
  }

  return {
    /** In their order. */
    async list({ id, user, query }: ListRequest<{ id: number; user: User }>): Promise<ListPage<TestCase>> {
      const { row } = await access.requireVisible(db, { id, user })
      const after = CURSOR.read(query.cursor)
      const limit = Math.min(query.limit, PAGE_MAX)
      return toPage({
        rows: await listCases(db, { suiteId: id, after, limit: limit + 1 }),
        limit,
        toItem: (row) => row,
        total: after ? undefined : { count: row.caseCount },
        cursorOf: ({ position, id }) => CURSOR.write({ position, id }),
      })
    },

    async find({ id, caseId, user }: { id: number; caseId: number; user: User }): Promise<TestCase> {
      await access.requireVisible(db, { id, user })
      return requireCase(await findOptionalCase(db, { id: caseId, suiteId: id }))
    },

    /** At the end of the suite. */
    add({
      fields,
      ...change
    }: Change & { fields: Omit<z.output<typeof createTestCaseRequest>, 'revision'> }): Promise<TestCase> {
      return db.transaction(async (tx) => {
        const { id: suiteId, ownerId } = await access.openForChange(tx, change)
        return append(tx, { suiteId, ownerId, fields: { ...fields, notRun: [] } })
      })
    },

    /** An absent field stays as it is. The revision is the case's: other cases may be saved beside it. */
    update({
      caseId,
      fields,
      revision,
      ...change
    }: CaseChange & { fields: Omit<UpdateTestCaseRequest, 'revision'> }): Promise<TestCase> {
      return db.transaction(async (tx) => {
        const { id: suiteId } = await access.openForChange(tx, change)
        const details = requireCase(await findOptionalCase(tx, { id: caseId, suiteId }))
        if (revision !== undefined && revision !== details.revision) {
          throw new AppError('conflict', 'This test was changed since you opened it', { details })
        }
        const stored = fieldsOf(details)
        const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
        const changed: CaseFields = { ...stored, ...given }
        requireSize((await sizeOf(tx, suiteId)).bytes - bytesOf(stored), changed)
        const saved = await updateCase(tx, { id: caseId, suiteId, ...changed })
        await updateSuite(tx, { id: suiteId })
        return saved
      })
    },

    delete({ caseId, ...change }: CaseChange): Promise<void> {
      return db.transaction(async (tx) => {
        const { id: suiteId } = await access.openForChange(tx, change)
        if (!(await deleteCase(tx, { id: caseId, suiteId }))) throw caseNotFound()
        await updateSuite(tx, { id: suiteId })
      })
    },

    /** A copy at the end of the suite. */
    duplicate({ caseId, ...change }: CaseChange): Promise<TestCase> {
      return db.transaction(async (tx) => {
        const { id: suiteId, ownerId } = await access.openForChange(tx, change)
        const fields = fieldsOf(requireCase(await findOptionalCase(tx, { id: caseId, suiteId })))
        const name = nameOfCopy(fields.name, TEST_NAME_MAX)
        return append(tx, { suiteId, ownerId, fields: { ...fields, name } })
      })
    },

    /** Throws `invalid` unless the ids are those of all cases, each once. */
    reorder({ caseIds, ...change }: Change & { caseIds: number[] }): Promise<void> {
      return db.transaction(async (tx) => {
        const { id: suiteId } = await access.openForChange(tx, change)
        requireEachOnce(caseIds, new Set(await listCaseIds(tx, suiteId)))
        await updateCasePositions(tx, { suiteId, caseIds })
        await updateSuite(tx, { id: suiteId })
      })
    },
  }
}

function requireSize(bytesOfOthers: number, fields: CaseFields): void {
  const bytes = bytesOf(fields)
  if (bytes > TEST_CASE_BYTES_MAX) {
    throw new AppError('invalid', `A case takes at most ${TEST_CASE_BYTES_MAX / 1000} kB`)
  }
  if (bytesOfOthers + bytes > TEST_SUITE_BYTES_MAX) {
    throw new AppError('conflict', `A suite takes at most ${TEST_SUITE_BYTES_MAX / 1_000_000} MB`)
  }
}

function requireEachOnce(caseIds: number[], existing: ReadonlySet<number>): void {
  const isWhole = new Set(caseIds).size === existing.size && caseIds.length === existing.size
  if (!isWhole || !caseIds.every((id) => existing.has(id))) {
    throw fieldError('caseIds', 'The new order must name each case of the suite once')
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

import type { TestSuite, User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type Change, createRecordAccess } from '../../record-access.ts'
import {
  findRecordRights,
  type RecordKey,
  type RecordPorts,
  type RecordRights,
  type RecordView,
} from '../records/records.ts'
import { canChangeSuite, canSeeSuite } from './test-suites.policy.ts'
import {
  type CountedSuite,
  findOptionalSuite,
  lockOptionalSuite,
  recordOf,
  type SuiteRow,
  toSuite,
} from './test-suites.repository.ts'

interface OpenedSuite {
  id: number
  revision: number
  ownerId: number
  row: SuiteRow
  rights: RecordRights
}

/** How every operation on a suite begins: may this person do it, and is the suite what they saw? */
export function createSuiteAccess({ records }: { records: RecordPorts }) {
  const findRights = (executor: Executor, row: SuiteRow, user: User): Promise<RecordRights> =>
    findRecordRights(records, executor, { ...recordOf(row), user })

  /** Throws `not_found` for a suite that the person can't see. */
  async function requireVisible(executor: Executor, { id, user }: { id: number; user: User }) {
    const row = await findOptionalSuite(executor, id)
    const rights = row && (await findRights(executor, row, user))
    if (row === undefined || rights === undefined || !canSeeSuite(rights)) {
      throw new AppError('not_found', 'Test suite not found')
    }
    return { row, record: recordOf(row), canEdit: canChangeSuite(rights) }
  }

  async function show(executor: Executor, wanted: { id: number; user: User }): Promise<TestSuite> {
    const { row, canEdit }: { row: CountedSuite; canEdit: boolean } = await requireVisible(executor, wanted)
    return toSuite(row, canEdit)
  }

  const { openForChange } = createRecordAccess<OpenedSuite, Transaction>({
    noun: 'test suite',
    canSee: (_, { rights }) => canSeeSuite(rights),
    canChange: (_, { rights }) => canChangeSuite(rights),
    lock: async (tx, { id, user }: Change) => {
      const row = await lockOptionalSuite(tx, id)
      if (row === undefined) return undefined
      const rights = await findRights(tx, row, user)
      return { id, revision: row.revision, ownerId: row.ownerId, row, rights }
    },
    show: (tx, { viewer, wanted }) => show(tx, { id: wanted.id, user: viewer }),
  })

  return {
    requireVisible,
    show,
    openForChange,

    /** Throws unless the person may change the prompt or chain of the new suite. */
    async requireChangeable(
      executor: Executor,
      { kind, ...wanted }: RecordKey & { user: User },
    ): Promise<RecordView> {
      const record = await records[kind].findVisible({ db: executor }, wanted)
      if (!canChangeSuite(record)) throw new AppError('forbidden', `You may not change this ${kind}`)
      return record
    },
  }
}

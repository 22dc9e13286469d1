import type { TestSuite, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { type Change, createRecordAccess, findRecordRights, type RecordRights } from '../records/records.ts'
import {
  type CountedSuite,
  findOptionalSuite,
  lockOptionalSuite,
  recordOf,
  type SuiteRow,
  toSuite,
} from './test-suites.sql.ts'

function canSeeSuite(rights: RecordRights): boolean {
  return rights.canView
}

function canChangeSuite(rights: RecordRights): boolean {
  return rights.canView && rights.canEdit
}

function findRights(ctx: Context, row: SuiteRow, user: User): Promise<RecordRights> {
  return findRecordRights(ctx, { ...recordOf(row), user })
}

export async function requireVisibleSuite(
  ctx: Context,
  { id, user }: { id: number; user: User },
): Promise<{ row: CountedSuite; canEdit: boolean }> {
  const row = await findOptionalSuite(ctx.db, id)
  const rights = row && (await findRights(ctx, row, user))
  if (row === undefined || rights === undefined || !canSeeSuite(rights)) {
    throw new AppError('not_found', 'Test suite not found')
  }
  return { row, canEdit: canChangeSuite(rights) }
}

export async function findSuite(ctx: Context, wanted: { id: number; user: User }): Promise<TestSuite> {
  const { row, canEdit } = await requireVisibleSuite(ctx, wanted)
  return toSuite(row, canEdit)
}

interface OpenedSuite {
  id: number
  revision: number
  ownerId: number
  row: SuiteRow
  rights: RecordRights
}

export const { openForChange: openSuiteForChange } = createRecordAccess<OpenedSuite, Context<Transaction>>({
  noun: 'test suite',
  canSee: (_, { rights }) => canSeeSuite(rights),
  canChange: (_, { rights }) => canChangeSuite(rights),
  lock: async (ctx, { id, user }: Change) => {
    const row = await lockOptionalSuite(ctx.db, id)
    if (row === undefined) return undefined
    const rights = await findRights(ctx, row, user)
    return { id, revision: row.revision, ownerId: row.ownerId, row, rights }
  },
  show: (ctx, { viewer, wanted }) => findSuite(ctx, { id: wanted.id, user: viewer }),
})

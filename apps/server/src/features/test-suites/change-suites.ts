import {
  type ImportReport,
  type ImportTestSuiteRequest,
  TEST_SUITES_MAX,
  type TestSuite,
  type UpdateTestSuiteRequest,
  type User,
} from '@catenary/contracts'
import type { SuiteDraft } from '@catenary/domain/promptfoo'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { WorkRefused } from '../../platform/bounded/work-refused.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import type { Change, RecordKey } from '../records/records.ts'
import { findEditableRecord } from '../records/records.ts'
import type { CaseFields } from './case-size.ts'
import { findSuite, openSuiteForChange } from './suite-access.ts'
import { READ_SUITE } from './suite-files.ts'
import { deleteCaseRows, insertCases } from './test-cases.sql.ts'
import { countSuites, deleteSuiteRow, insertSuite, updateSuiteRow } from './test-suites.sql.ts'

export function createSuite(
  ctx: Context,
  { user, name, ...record }: RecordKey & { user: User; name: string },
): Promise<TestSuite> {
  return transaction(ctx, async (ctx) => {
    const { ownerId } = await findEditableRecord(ctx, { ...record, user })
    await requireRoom(ctx, record)
    const id = await insertSuite(ctx.db, { ...record, ownerId, ...EMPTY, name })
    await recordActivity(ctx, { kind: 'suite.created', object: 'suite', id, ownerId })
    return findSuite(ctx, { id, user })
  })
}

export function saveSuite(
  ctx: Context,
  { fields, ...change }: Change & { fields: Omit<UpdateTestSuiteRequest, 'revision'> },
): Promise<TestSuite> {
  return transaction(ctx, async (ctx) => {
    const { id, row, ownerId } = await openSuiteForChange(ctx, change)
    const { name = row.name, defaults = {} } = fields
    await updateSuiteRow(ctx.db, {
      id,
      fields: {
        name,
        defaultValues: defaults.values ?? row.defaultValues,
        defaultAssertions: defaults.assertions ?? row.defaultAssertions,
        defaultThreshold: defaults.threshold === undefined ? row.defaultThreshold : defaults.threshold,
        defaultNotRun: row.defaultNotRun,
        imported: row.imported,
      },
    })
    await recordActivity(ctx, { kind: 'suite.changed', object: 'suite', id, ownerId })
    return findSuite(ctx, change)
  })
}

export function deleteSuite(ctx: Context, change: Change): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id, ownerId } = await openSuiteForChange(ctx, change)
    await deleteSuiteRow(ctx.db, id)
    await recordActivity(ctx, { kind: 'suite.deleted', object: 'suite', id, ownerId })
  })
}

interface NewSuite extends RecordKey {
  user: User
  name: string
  cases: CaseFields[]
  file?: Pick<SuiteDraft, 'defaults' | 'imported'>
}

export async function createFilledSuite(
  ctx: Context<Transaction>,
  { user, name, cases, file, ...record }: NewSuite,
): Promise<number> {
  const ownerId = user.id
  await requireRoom(ctx, record)
  const suiteId = await insertSuite(ctx.db, {
    ...record,
    ownerId,
    ...EMPTY,
    ...(file && fromFile(file)),
    name,
  })
  await insertCases(ctx.db, { suiteId, ownerId, position: 0, cases })
  return suiteId
}

interface RefilledSuite extends Pick<NewSuite, 'user' | 'name' | 'cases'> {
  id: number
  file: NonNullable<NewSuite['file']>
}

export async function refillSuite(
  ctx: Context<Transaction>,
  { id, user, name, cases, file }: RefilledSuite,
): Promise<number> {
  const { revision, ownerId } = await openSuiteForChange(ctx, { id, user })
  await updateSuiteRow(ctx.db, { id, fields: { name, ...fromFile(file) } })
  await deleteCaseRows(ctx.db, id)
  await insertCases(ctx.db, { suiteId: id, ownerId, position: 0, cases })
  return revision + 1
}

interface Import extends RecordKey {
  user: User
  request: ImportTestSuiteRequest
  signal: AbortSignal
}

/** First what would come of a file, then the suite. Throws `invalid` for one that can't be read. A dry run makes nothing. */
export async function importSuite(
  ctx: Context,
  { user, request, signal, ...record }: Import,
): Promise<ImportReport> {
  await findEditableRecord(ctx, { ...record, user })
  const { report, draft } = await readSuiteFile(ctx, { user, request, signal })
  if (draft === undefined) return { ...report, suite: null }
  return transaction(ctx, async (ctx) => {
    const { ownerId } = await findEditableRecord(ctx, { ...record, user })
    await requireRoom(ctx, record)
    const { name, imported, defaults, cases } = draft
    const id = await insertSuite(ctx.db, { ...record, ownerId, name, ...fromFile({ defaults, imported }) })
    await insertCases(ctx.db, { suiteId: id, ownerId, position: 0, cases })
    await recordActivity(ctx, { kind: 'suite.imported', object: 'suite', id, ownerId })
    return { ...report, suite: await findSuite(ctx, { id, user }) }
  })
}

async function readSuiteFile({ bounded }: Context, { user, request, signal }: Omit<Import, keyof RecordKey>) {
  const { format, text, name, dryRun } = request
  const reading = bounded.open({ owner: user.id, signal })
  const read = await reading
    .run(READ_SUITE, { format, text, name, isWanted: dryRun !== true })
    .catch((error: unknown) => {
      if (error instanceof WorkRefused && error.why !== 'left') return { problem: error.message }
      throw error
    })
  if (!('problem' in read)) return read
  const { problem: message } = read
  throw new AppError('invalid', message, { details: [{ path: 'text', message }] })
}

async function requireRoom({ db }: Context, record: RecordKey): Promise<void> {
  if ((await countSuites(db, record)) < TEST_SUITES_MAX) return
  throw new AppError(
    'conflict',
    `A ${record.kind} can have at most ${TEST_SUITES_MAX} test suites. Delete one to add another.`,
  )
}

function fromFile({ defaults, imported }: Pick<SuiteDraft, 'defaults' | 'imported'>) {
  return {
    defaultValues: defaults.values,
    defaultAssertions: defaults.assertions,
    defaultThreshold: defaults.threshold,
    defaultNotRun: defaults.notRun,
    imported,
  }
}

const EMPTY = {
  defaultValues: {},
  defaultAssertions: [],
  defaultThreshold: null,
  defaultNotRun: [],
  imported: [],
}

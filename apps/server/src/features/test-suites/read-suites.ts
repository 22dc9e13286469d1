import type { CaseGrade, gradeRequest, ListedTestSuite, TestCase, TestSuite, User } from '@catenary/contracts'
import { gradeAnswer } from '@catenary/domain/assertions'
import type * as z from 'zod'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { openGrading } from '../../platform/grading/grading.ts'
import { recordActivity } from '../activity/activity.ts'
import { findRecord, type RecordKey } from '../records/records.ts'
import { requireVisibleSuite } from './suite-access.ts'
import { WRITE_SUITE } from './suite-files.ts'
import { listCaseRows } from './test-cases.sql.ts'
import {
  type CountedSuite,
  findOptionalSuite,
  listSuiteRows,
  recordOf,
  toListed,
  toSuite,
} from './test-suites.sql.ts'

interface Asked {
  user: User
  signal: AbortSignal
}

export async function listSuites(
  ctx: Context,
  { user, ...record }: RecordKey & { user: User },
): Promise<ListedTestSuite[]> {
  const { canEdit } = await findRecord(ctx, { ...record, user })
  return (await listSuiteRows(ctx.db, record)).map((row) => toListed(row, canEdit))
}

/** As promptfoo's YAML, including the unused parts of an imported file. */
export async function exportSuite(
  ctx: Context,
  { signal, ...wanted }: Asked & { id: number },
): Promise<string> {
  const { row } = await requireVisibleSuite(ctx, wanted)
  const { id, ownerId } = row
  await transaction(ctx, (ctx) =>
    recordActivity(ctx, { kind: 'suite.exported', object: 'suite', id, ownerId }),
  )
  const { name, defaults, imported } = toSuite(row, false)
  const cases = await listCaseRows(ctx.db, { suiteId: row.id })
  const writing = ctx.bounded.open({ owner: wanted.user.id, signal })
  return writing.run(WRITE_SUITE, { name, defaults, imported, cases })
}

/** Grades an answer that is there already; what a model would judge is left out. */
export async function gradeByHand(
  ctx: Context,
  { assertions, threshold, values, answer, user, signal }: z.output<typeof gradeRequest> & Asked,
): Promise<CaseGrade> {
  const graded = { assertions, threshold, values, input: '', notRun: 0 }
  return gradeAnswer(graded, answer, {
    gradeApart: openGrading(ctx, { owner: user.id, signal }),
    judge: null,
  })
}

export interface CaseToRun
  extends Omit<TestCase, 'id' | 'position' | 'skipsDefaults' | 'notRun' | 'revision'> {
  notRun: number
}

export interface SuiteToRun {
  id: number
  name: string
  record: RecordKey
  cases: CaseToRun[]
}

export async function openSuiteToRun(ctx: Context, wanted: { id: number; user: User }): Promise<SuiteToRun> {
  const { row } = await requireVisibleSuite(ctx, wanted)
  return toSuiteToRun(ctx, row)
}

/** Undefined where it is gone; whether a person may see it is not asked here. */
export async function findOptionalSuiteToRun(ctx: SqlContext, id: number): Promise<SuiteToRun | undefined> {
  const row = await findOptionalSuite(ctx.db, id)
  return row && toSuiteToRun(ctx, row)
}

/** All of a prompt or chain, by name; whether a person may see them is not asked here. */
export async function listSuitesToRun(ctx: SqlContext, record: RecordKey): Promise<SuiteToRun[]> {
  const suites: SuiteToRun[] = []
  for (const row of await listSuiteRows(ctx.db, record)) suites.push(await toSuiteToRun(ctx, row))
  return suites
}

async function toSuiteToRun({ db }: SqlContext, row: CountedSuite): Promise<SuiteToRun> {
  const { id, name, defaults } = toSuite(row, false)
  const cases = await listCaseRows(db, { suiteId: id })
  return { id, name, record: recordOf(row), cases: cases.map((each) => toCaseToRun(each, defaults)) }
}

function toCaseToRun(testCase: TestCase, defaults: TestSuite['defaults']): CaseToRun {
  const { id: _, position: __, revision: ___, skipsDefaults, ...own } = testCase
  const shared = skipsDefaults ? { assertions: [], notRun: [] } : defaults
  const kept = [...shared.notRun, ...own.notRun]
  return {
    ...own,
    values: { ...defaults.values, ...own.values },
    assertions: [...shared.assertions, ...own.assertions],
    threshold: own.threshold ?? defaults.threshold,
    notRun: kept.filter(({ reason }) => reason !== null).length,
  }
}

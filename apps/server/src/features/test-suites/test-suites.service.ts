import {
  type CaseGrade,
  type gradeRequest,
  type ListedTestSuite,
  TEST_SUITES_MAX,
  type TestSuite,
  type UpdateTestSuiteRequest,
  type User,
} from '@catenary/contracts'
import { gradeAnswer } from '@catenary/domain/assertions'
import type { SuiteDraft } from '@catenary/domain/promptfoo'
import type * as z from 'zod'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { BoundedWork } from '../../platform/bounded/bounded-work.ts'
import type { Grading } from '../../platform/grading/grading.ts'
import type { Change } from '../../record-access.ts'
import type { RecordKey, RecordPorts } from '../records/records.ts'
import type { CaseFields } from './case-size.ts'
import { createSuiteAccess } from './suite-access.service.ts'
import { WRITE_SUITE } from './suite-files.ts'
import { readSuiteToRun, type SuiteToRun } from './suites-to-run.service.ts'
import { createCases, deleteCases, listCases } from './test-cases.repository.ts'
import {
  countSuites,
  createSuite,
  deleteSuite,
  listSuites,
  toListed,
  toSuite,
  updateSuite,
} from './test-suites.repository.ts'

export type TestSuitesService = ReturnType<typeof createTestSuitesService>

interface TestSuitesDeps {
  db: Database
  records: RecordPorts
  bounded: BoundedWork
  grading: Grading
}

/** The caller; aborts when they leave. */
interface Asked {
  user: User
  signal: AbortSignal
}

interface NewSuite extends RecordKey {
  user: User
  name: string
  cases: CaseFields[]
  /** What a file has for all of its tests, and beside them. */
  file?: Pick<SuiteDraft, 'defaults' | 'imported'>
}

interface FilledSuite extends Pick<NewSuite, 'user' | 'name' | 'cases'> {
  id: number
  file: NonNullable<NewSuite['file']>
}

/** Test suites of prompts and chains: access, imports, and trial grading. */
export function createTestSuitesService({ db, records, bounded, grading }: TestSuitesDeps) {
  const access = createSuiteAccess({ records })

  return {
    /** By name. Throws `not_found` for a prompt or chain that the person can't see. */
    async list({ user, ...record }: RecordKey & { user: User }): Promise<ListedTestSuite[]> {
      const { canEdit } = await records[record.kind].findVisible({ db }, { id: record.id, user })
      return (await listSuites(db, record)).map((row) => toListed(row, canEdit))
    },

    find: (wanted: { id: number; user: User }): Promise<TestSuite> => access.show(db, wanted),

    create({ user, name, ...record }: RecordKey & { user: User; name: string }): Promise<TestSuite> {
      return db.transaction(async (tx) => {
        const { ownerId } = await access.requireChangeable(tx, { ...record, user })
        await requireRoom(tx, record)
        const id = await createSuite(tx, { ...record, ownerId, ...EMPTY, name })
        return access.show(tx, { id, user })
      })
    },

    /** An absent field stays as it is. Throws `conflict` with the current suite as details. */
    update({
      fields,
      ...change
    }: Change & { fields: Omit<UpdateTestSuiteRequest, 'revision'> }): Promise<TestSuite> {
      return db.transaction(async (tx) => {
        const { id, row } = await access.openForChange(tx, change)
        const { name = row.name, defaults = {} } = fields
        await updateSuite(tx, {
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
        return access.show(tx, change)
      })
    },

    createIn: createSuiteIn,
    fillIn: (tx: Transaction, wanted: FilledSuite) => fillSuiteIn(access, tx, wanted),

    /** In the caller's transaction; the caller has checked the person's rights. */
    deleteIn: (tx: Transaction, id: number): Promise<void> => deleteSuite(tx, id),

    delete(change: Change): Promise<void> {
      return db.transaction(async (tx) => {
        const { id } = await access.openForChange(tx, change)
        await deleteSuite(tx, id)
      })
    },

    /** As promptfoo's YAML, including the unused parts of an imported file. */
    async export({ signal, ...wanted }: Asked & { id: number }): Promise<string> {
      const { row } = await access.requireVisible(db, wanted)
      const { name, defaults, imported } = toSuite(row, false)
      const cases = await listCases(db, { suiteId: row.id })
      const writing = bounded.open({ owner: wanted.user.id, signal })
      return writing.run(WRITE_SUITE, { name, defaults, imported, cases })
    },

    /** With its cases as they are now, each with what the suite has for all of them; for an evaluation of it. */
    async open(wanted: { id: number; user: User }): Promise<SuiteToRun> {
      const { row } = await access.requireVisible(db, wanted)
      return readSuiteToRun(db, row)
    },

    /** Grades an answer that is there already; what a model would judge is left out. */
    async grade({
      assertions,
      threshold,
      values,
      answer,
      user,
      signal,
    }: z.output<typeof gradeRequest> & Asked): Promise<CaseGrade> {
      const graded = { assertions, threshold, values, input: '', notRun: 0 }
      const gradeApart = grading.open({ owner: user.id, signal })
      return gradeAnswer(graded, answer, { gradeApart, judge: null })
    },
  }
}

/** A suite with its tests, of a record that is the person's, in the caller's transaction. */
async function createSuiteIn(
  tx: Transaction,
  { user, name, cases, file, ...record }: NewSuite,
): Promise<number> {
  const ownerId = user.id
  await requireRoom(tx, record)
  const suiteId = await createSuite(tx, {
    ...record,
    ownerId,
    ...EMPTY,
    ...(file && fromFile(file)),
    name,
  })
  await createCases(tx, { suiteId, ownerId, position: 0, cases })
  return suiteId
}

/** All of a suite anew, in the caller's transaction; its new revision. */
async function fillSuiteIn(
  access: ReturnType<typeof createSuiteAccess>,
  tx: Transaction,
  { id, user, name, cases, file }: FilledSuite,
): Promise<number> {
  const { revision, ownerId } = await access.openForChange(tx, { id, user })
  await updateSuite(tx, { id, fields: { name, ...fromFile(file) } })
  await deleteCases(tx, id)
  await createCases(tx, { suiteId: id, ownerId, position: 0, cases })
  return revision + 1
}

export async function requireRoom(executor: Executor, record: RecordKey): Promise<void> {
  if ((await countSuites(executor, record)) < TEST_SUITES_MAX) return
  throw new AppError(
    'conflict',
    `A ${record.kind} has at most ${TEST_SUITES_MAX} test suites. Delete one to make another.`,
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

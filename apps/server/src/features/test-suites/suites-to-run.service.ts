import type { TestCase, TestSuite } from '@catenary/contracts'
import type { Executor } from '../../db/executor.ts'
import type { RecordKey } from '../records/records.ts'
import { listCases } from './test-cases.repository.ts'
import {
  type CountedSuite,
  findOptionalSuite,
  listSuites,
  recordOf,
  toSuite,
} from './test-suites.repository.ts'

/** A case with all that its suite has for each case. */
export interface CaseToRun
  extends Omit<TestCase, 'id' | 'position' | 'skipsDefaults' | 'notRun' | 'revision'> {
  /** How many things of it can't run here. */
  notRun: number
}

export interface SuiteToRun {
  id: number
  name: string
  record: RecordKey
  cases: CaseToRun[]
}

function toRun(testCase: TestCase, defaults: TestSuite['defaults']): CaseToRun {
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

/** With its cases as they are now; whether a person may see it is not asked here. */
export async function readSuiteToRun(executor: Executor, row: CountedSuite): Promise<SuiteToRun> {
  const { id, name, defaults } = toSuite(row, false)
  const cases = await listCases(executor, { suiteId: id })
  return { id, name, record: recordOf(row), cases: cases.map((each) => toRun(each, defaults)) }
}

/** The same by its id; undefined where it is gone. */
export async function findOptionalSuiteToRun(
  executor: Executor,
  id: number,
): Promise<SuiteToRun | undefined> {
  const row = await findOptionalSuite(executor, id)
  return row && readSuiteToRun(executor, row)
}

/** All of a prompt or chain, by name. */
export async function listSuitesToRun(executor: Executor, record: RecordKey): Promise<SuiteToRun[]> {
  const suites: SuiteToRun[] = []
  for (const row of await listSuites(executor, record)) suites.push(await readSuiteToRun(executor, row))
  return suites
}

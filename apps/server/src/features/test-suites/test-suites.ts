import { createGrading } from '../../platform/grading/grading.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RecordPorts } from '../records/records.ts'
import { createSuiteImports } from './suite-imports.service.ts'
import { createTestCasesService } from './test-cases.service.ts'
import { testSuitesRoutes } from './test-suites.routes.ts'
import { createTestSuitesService } from './test-suites.service.ts'

export {
  type CaseToRun,
  findOptionalSuiteToRun,
  listSuitesToRun,
  type SuiteToRun,
} from './suites-to-run.service.ts'
export type TestSuitesService = ReturnType<typeof createTestSuites>['service']

/** Lists of tests, which evaluations run. */
export function createTestSuites(
  { bounded, db }: Pick<Platform, 'bounded' | 'db'>,
  { ports }: { ports: RecordPorts },
) {
  const grading = createGrading({ bounded })
  const suites = createTestSuitesService({ db, records: ports, bounded, grading })
  const cases = createTestCasesService({ db, records: ports })
  const imports = createSuiteImports({ db, records: ports, bounded })
  const { createIn, deleteIn, fillIn, open } = suites
  return {
    service: { createIn, deleteIn, fillIn, grading, open },
    routes: testSuitesRoutes({ suites, cases, imports }),
  }
}

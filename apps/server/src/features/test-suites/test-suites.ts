import { createGradingThread } from '../../platform/grading/grading-thread.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { createSuiteImports } from './suite-imports.service.ts'
import { createTestCasesService } from './test-cases.service.ts'
import { testSuitesRoutes } from './test-suites.routes.ts'
import { createTestSuitesService } from './test-suites.service.ts'
import { createTestedRecords } from './tested-records.service.ts'

type Deps = Parameters<typeof createTestedRecords>[0] &
  Pick<Parameters<typeof createTestSuitesService>[0], 'db'>

/** All of the room: its routes, and what evaluations ask of it. */
export function createTestSuites({ db, chainAccess }: Deps) {
  const records = createTestedRecords({ chainAccess })
  const grading = createGradingThread()
  const suites = createTestSuitesService({ db, records, gradeApart: grading.grade })
  const cases = createTestCasesService({ db, records })
  const imports = createSuiteImports({ db, records })
  const routes: Routes = testSuitesRoutes({ suites, cases, imports })
  return { suites, routes, tested: records, gradeApart: grading.grade, close: grading.close }
}

import { createGrading } from '../../platform/grading/grading.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { createSuiteImports } from './suite-imports.service.ts'
import { createTestCasesService } from './test-cases.service.ts'
import { testSuitesRoutes } from './test-suites.routes.ts'
import { createTestSuitesService } from './test-suites.service.ts'
import { createTestedRecords } from './tested-records.service.ts'

type Deps = Parameters<typeof createTestedRecords>[0] &
  Omit<Parameters<typeof createTestSuitesService>[0], 'records' | 'grading'>

/** All of the room: its routes, and what evaluations ask of it. */
export function createTestSuites({ chainAccess, ...deps }: Deps) {
  const records = createTestedRecords({ chainAccess })
  const grading = createGrading(deps)
  const suites = createTestSuitesService({ ...deps, records, grading })
  const cases = createTestCasesService({ ...deps, records })
  const imports = createSuiteImports({ ...deps, records })
  const routes: Routes = testSuitesRoutes({ suites, cases, imports })
  return { suites, routes, tested: records, grading }
}

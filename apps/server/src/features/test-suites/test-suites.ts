import { createGrading } from '../../platform/grading/grading.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { createSuiteImports } from './suite-imports.service.ts'
import { createTestCasesService } from './test-cases.service.ts'
import { testSuitesRoutes } from './test-suites.routes.ts'
import { createTestSuitesService } from './test-suites.service.ts'

type Deps = Omit<Parameters<typeof createTestSuitesService>[0], 'grading'>

/** All of the room: its routes, and what evaluations ask of it. */
export function createTestSuites(deps: Deps) {
  const grading = createGrading(deps)
  const suites = createTestSuitesService({ ...deps, grading })
  const cases = createTestCasesService(deps)
  const imports = createSuiteImports(deps)
  const routes: Routes = testSuitesRoutes({ suites, cases, imports })
  return { suites, routes, grading }
}

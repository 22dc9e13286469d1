import { examplesRoutes } from './features/examples/examples.routes.ts'
import { createExamplesService } from './features/examples/examples.service.ts'
import { firstStepsRoutes } from './features/first-steps/first-steps.routes.ts'
import { createFirstStepsService } from './features/first-steps/first-steps.service.ts'
import type { Routes } from './platform/http/routes.ts'

type Deps = Parameters<typeof createExamplesService>[0] & Parameters<typeof createFirstStepsService>[0]

/** What a newcomer meets: examples to begin with, and the first steps. */
export function firstMinutes(deps: Deps): Routes[] {
  return [
    examplesRoutes({ examples: createExamplesService(deps) }),
    firstStepsRoutes({ steps: createFirstStepsService(deps) }),
  ]
}

import type { Platform } from '../../platform/platform.ts'
import { firstStepsRoutes } from './first-steps.routes.ts'
import { createFirstStepsService } from './first-steps.service.ts'

/** What a newcomer has done of the first steps. */
export function createFirstSteps({ db, models }: Pick<Platform, 'db' | 'models'>) {
  return { routes: [firstStepsRoutes({ steps: createFirstStepsService({ db, models }) })] }
}

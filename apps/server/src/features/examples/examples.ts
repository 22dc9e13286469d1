import type { Platform } from '../../platform/platform.ts'
import { examplesRoutes } from './examples.routes.ts'
import { createExamplesService, type ExampleMakers } from './examples.service.ts'

/** Records to begin with. */
export function createExamples({ db, models }: Pick<Platform, 'db' | 'models'>, features: ExampleMakers) {
  return { routes: [examplesRoutes({ examples: createExamplesService({ db, models }, features) })] }
}

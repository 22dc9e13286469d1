import type { Platform } from '../../platform/platform.ts'
import { taxonomyRoutes } from './taxonomy.routes.ts'
import { createTaxonomyService } from './taxonomy.service.ts'

/** How admins keep the shared categories and tags in order. */
export function createTaxonomy({ db }: Pick<Platform, 'db'>) {
  return { routes: [taxonomyRoutes({ taxonomy: createTaxonomyService({ db }) })] }
}

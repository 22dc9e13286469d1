import type { Platform } from '../../platform/platform.ts'
import { fillsRoutes } from './fills.routes.ts'
import { createFillsService } from './fills.service.ts'

export { listAcceptedFills } from './accepted-fills.repository.ts'
export { forgetName } from './forgotten-fills.repository.ts'
export { listAskedFills, listUnfilled, type Reached } from './held-names.repository.ts'

/** Private values that texts of others may be filled with, by the consent of their person (D69). */
export function createFills({ db }: Pick<Platform, 'db'>) {
  return { routes: [fillsRoutes({ fills: createFillsService({ db }) })] }
}

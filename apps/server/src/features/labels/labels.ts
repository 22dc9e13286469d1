import type { Platform } from '../../platform/platform.ts'
import { labelsRoutes } from './labels.routes.ts'
import { createLabelsService } from './labels.service.ts'

/** How admins keep the shared categories and tags in order. */
export function createLabels({ db }: Pick<Platform, 'db'>) {
  return { routes: [labelsRoutes({ labels: createLabelsService({ db }) })] }
}

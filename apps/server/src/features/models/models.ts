import type { Platform } from '../../platform/platform.ts'
import { createModelAccess } from './model-access.service.ts'

export type ModelRegistry = ReturnType<typeof createModelRegistry>['service']

/** Which models there are to choose from. */
export function createModelRegistry({ models }: Pick<Platform, 'models'>) {
  return { service: createModelAccess({ models }) }
}

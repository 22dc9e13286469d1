import type { Platform } from '../../platform/platform.ts'
import type { ModelRegistry } from '../models/models.ts'
import { adminRoutes } from './admin.routes.ts'
import { type ChecksDeps, createChecksService } from './checks.service.ts'
import { createDebugModeService } from './debug-mode.service.ts'
import { createQueueProbe } from './queue-probe.ts'

interface Features extends Pick<ChecksDeps, 'googleDrive' | 'schedules'> {
  registry: Pick<ModelRegistry, 'tests'>
}

/** What only admins do to the whole installation. */
export function createAdmin(platform: Platform, { googleDrive, registry, schedules }: Features) {
  const debugMode = createDebugModeService(platform)
  const modelTests = registry.tests
  const probeQueue = createQueueProbe(platform)
  const checks = createChecksService({ ...platform, googleDrive, modelTests, probeQueue, schedules })
  return {
    routes: [adminRoutes({ debugMode, checks })],
    start: () => debugMode.follow(),
    close: async () => debugMode.close(),
  }
}

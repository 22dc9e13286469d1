import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import { testModel } from '../models/models.ts'
import { adminRoutes } from './admin.routes.ts'
import { type ChecksDeps, createChecksService } from './checks.service.ts'
import { createDebugModeService } from './debug-mode.service.ts'
import { createQueueProbe } from './queue-probe.ts'

type Features = Pick<ChecksDeps, 'googleDrive' | 'schedules'>

/** What only admins do to the whole installation. */
export function createAdmin(platform: Context<Database>, { googleDrive, schedules }: Features) {
  const debugMode = createDebugModeService(platform)
  const modelTests: ChecksDeps['modelTests'] = {
    list: () => platform.models.describe(),
    test: (alias) => testModel(platform, alias),
  }
  const probeQueue = createQueueProbe(platform)
  const checks = createChecksService({ ...platform, googleDrive, modelTests, probeQueue, schedules })
  return {
    routes: [adminRoutes({ debugMode, checks })],
    start: () => debugMode.follow(),
    close: async () => debugMode.close(),
  }
}

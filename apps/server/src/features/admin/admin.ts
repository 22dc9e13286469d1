import type { Models } from '../../platform/models/models.ts'
import type { Platform } from '../../platform/platform.ts'
import { adminRoutes } from './admin.routes.ts'
import { type ChecksDeps, createChecksService } from './checks.service.ts'
import { createDebugModeService } from './debug-mode.service.ts'
import { createModelTestsService } from './model-tests.service.ts'
import { createQueueProbe } from './queue-probe.ts'
import { createUpgradeNoticeService } from './upgrade-notice.service.ts'

export { createModelTestsService } from './model-tests.service.ts'

interface Features extends Pick<ChecksDeps, 'googleDrive' | 'schedules'> {
  models: Models
}

/** What only admins do to the whole installation. */
export function createAdmin(platform: Platform, { googleDrive, models, schedules }: Features) {
  const debugMode = createDebugModeService(platform)
  const notice = createUpgradeNoticeService(platform)
  const modelTests = createModelTestsService({ models })
  const probeQueue = createQueueProbe(platform)
  const checks = createChecksService({ ...platform, googleDrive, modelTests, probeQueue, schedules })
  return {
    routes: [adminRoutes({ debugMode, modelTests, checks, notice })],
    start: async () => {
      await Promise.all([debugMode.follow(), notice.logNotice()])
    },
    close: async () => debugMode.close(),
  }
}

import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import { testModel } from '../models/models.ts'
import { adminRoutes } from './admin.routes.ts'
import { type ChecksDeps, createChecksService } from './checks.service.ts'
import { createDebugModeService } from './debug-mode.service.ts'
import { createQueueProbe } from './queue-probe.ts'

type Features = Pick<ChecksDeps, 'googleDrive'>

/** What only admins do to the whole installation. */
export function createAdmin(ctx: Context<Database>, { googleDrive }: Features) {
  const debugMode = createDebugModeService(ctx)
  const modelTests: ChecksDeps['modelTests'] = {
    list: () => ctx.models.describe(),
    test: (alias) => testModel(ctx, alias),
  }
  const probeQueue = createQueueProbe(ctx)
  const checks = createChecksService({ ...ctx, ctx, googleDrive, modelTests, probeQueue })
  return {
    routes: [adminRoutes({ debugMode, checks })],
    start: () => debugMode.follow(),
    close: async () => debugMode.close(),
  }
}

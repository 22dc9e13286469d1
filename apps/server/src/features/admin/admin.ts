import { adminApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { readDebugMode } from './admin.sql.ts'
import { setDebugMode } from './debug-mode.ts'
import { listChecks, runCheck } from './run-checks.ts'

export { debugMode } from './debug-mode.ts'
export { workProbes } from './run-checks.ts'

/** What only admins do to the whole installation. */
export const serveAdmin = handlers(adminApi, {
  'GET /api/admin/debug-mode': async (ctx) => ({ debugMode: await readDebugMode(ctx.db) }),
  'POST /api/admin/debug-mode': async (ctx, { body, user }) => ({
    debugMode: await setDebugMode(ctx, { ...body, user }),
  }),
  'GET /api/admin/checks': listChecks,
  'GET /api/admin/checks/{name}': (ctx, { params }) => runCheck(ctx, params.name),
})

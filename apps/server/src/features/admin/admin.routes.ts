import { debugSettings, setDebugModeRequest, systemCheck, systemCheckResult } from '@catenary/contracts'
import * as z from 'zod'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { ChecksService } from './checks.service.ts'
import type { DebugModeService } from './debug-mode.service.ts'

const tags = ['admin']
const refusals = errorReplies(401, 403)

interface AdminRoutesDeps {
  debugMode: DebugModeService
  checks: ChecksService
}

/** What only admins may do. */
export function adminRoutes({ debugMode, checks }: AdminRoutesDeps): Routes {
  return (app) => {
    debugModeRoutes(app, debugMode)
    checkRoutes(app, checks)
  }
}

function debugModeRoutes(app: HttpApp, debugMode: DebugModeService): void {
  const path = '/api/admin/debug-mode'
  const response = { 200: debugSettings, ...refusals }

  app.get(
    path,
    { ...adminOnly, schema: { tags, summary: 'Whether debug mode is on', response } },
    async () => ({
      debugMode: await debugMode.read(),
    }),
  )

  app.post(
    path,
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'Turn debug mode on or off',
        description:
          'While it is on, the server logs at level debug: the answering process at once, all others within 30 seconds.',
        body: setDebugModeRequest,
        response,
      },
    },
    async (request) => {
      const { enabled } = request.body
      return { debugMode: await debugMode.set({ enabled, user: await requireAdmin(request) }) }
    },
  )
}

function checkRoutes(app: HttpApp, checks: ChecksService): void {
  app.get(
    '/api/admin/checks',
    {
      ...adminOnly,
      schema: {
        tags,
        summary: 'What the test dashboard checks',
        response: { 200: z.array(systemCheck), ...refusals },
      },
    },
    async () => checks.list(),
  )

  app.get(
    '/api/admin/checks/:name',
    {
      ...adminOnly,
      // It calls models and writes.
      config: { crossSiteCheck: true },
      schema: {
        tags,
        summary: 'Run one check',
        params: z.strictObject({ name: z.string() }),
        response: { 200: systemCheckResult, ...refusals },
      },
    },
    async (request) => checks.run(request.params.name),
  )
}

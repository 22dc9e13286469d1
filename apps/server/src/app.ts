import { setTimeout as delay } from 'node:timers/promises'
import { findUser, readSessionToken, registrationNow } from './features/accounts/accounts.ts'
import { noteRefusal } from './features/activity/activity.ts'
import { deletionsNoted } from './features/backups/backups.ts'
import { answerUnroutableCall } from './features/doors/doors.ts'
import { beginCall } from './features/idempotency/idempotency.ts'
import { checkDatabase, describeInstance } from './features/instance/instance.ts'
import { type ReleaseGate, releaseGateSlot } from './features/records/records.ts'
import { endRuns } from './features/runs/runs.ts'
import { boundsOf, explainQuota } from './features/spending/spending.ts'
import { shownGrant } from './features/tokens/tokens.ts'
import { beginFeatures, closeFeatures, doorsOf, FEATURE_ROUTES, startFeatures } from './features.ts'
import { type AppContext, type Context, createContext } from './platform/context.ts'
import { CALLERS } from './platform/http/callers.ts'
import { checkThat, healthRoutes, NotReadyError } from './platform/http/health.ts'
import { limitPeople } from './platform/http/limits/person-limits.ts'
import { metricsRoutes } from './platform/http/metrics.ts'
import { apiDescriptionRoutes } from './platform/http/openapi/openapi.ts'
import type { HttpApp } from './platform/http/routes.ts'
import { createHttpServer } from './platform/http/server.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import { createPlatform, type PlatformDeps } from './platform/platform.ts'

export interface AppDeps extends PlatformDeps {
  gate?: ReleaseGate
}

export interface App {
  http: HttpApp
  ctx: AppContext
  registrationNow: () => ReturnType<typeof registrationNow>
  start(): Promise<void>
  drain(): Promise<void>
  close(): Promise<void>
}

/** The only wiring: the platform, the features, then their edges. Tests call it with the same arguments as `main`. */
export async function buildApp({ gate, ...deps }: AppDeps): Promise<App> {
  const platform = createPlatform(deps)
  const ctx = createContext(platform)
  await beginFeatures(ctx)
  if (gate !== undefined) releaseGateSlot.fill(ctx, gate)
  const http = await createServer(ctx)
  const { jobs, settings } = platform

  return {
    http,
    ctx,
    registrationNow: () => registrationNow(ctx),
    start: async () => {
      await platform.rowChanges.listen()
      await platform.processes.start()
      await startFeatures(ctx)
      await jobs.start({ work: settings.role !== 'web' })
    },
    drain: async () => {
      platform.beginDraining()
      if (settings.drainSeconds > 0) await delay(settings.drainSeconds * 1000)
    },
    close: async () => {
      platform.beginClosing()
      await Promise.all([jobs.stop(), http.close()])
      await closeFeatures(ctx)
      await platform.processes.stop()
      await platform.close()
    },
  }
}

async function createServer(ctx: AppContext): Promise<HttpApp> {
  const { disk, draining, jobs, log, metrics, move, notifications, processes, pulse, settings, windows } = ctx
  const http = await createHttpServer({
    ...settings,
    log,
    disk,
    move,
    pulse,
    windows,
    draining,
    idempotency: { begin: (call) => beginCall(ctx, call) },
    findUser: (headers) => findUser(ctx, headers),
    admission: { callers: CALLERS, doors: doorsOf(ctx) },
    endCalls: () => endRuns(ctx),
    refused: ({ request, ...call }) => {
      const grant = shownGrant(request)
      noteRefusal(ctx, {
        ...call,
        objectId: grant?.tokenId ?? call.objectId,
        personId: grant?.user.id ?? call.personId,
      })
    },
    beforeReply: () => deletionsNoted(ctx),
    explain: (error) => explainQuota(ctx, error),
    answerUnroutable: answerUnroutableCall,
  })
  const { runsPerMinute } = settings
  const { share } = processes
  const limits = limitPeople(http, {
    boundsOf: (person) => boundsOf(ctx, person),
    pulse,
    runsPerMinute,
    windows,
    share,
  })
  const edge = { ctx, ...limits }
  const hasRoom = checkThat(() => !disk.isFull(), 'the disk is full')
  const listener = async () => {
    const why = notifications.failure()
    if (why !== null) throw new NotReadyError(why)
  }
  const stays = checkThat(() => !draining.aborted, 'it is to stop')
  const database = () => checkDatabase(ctx)
  const checks = { database, queue: jobs.check, disk: hasRoom, listener, process: stays }
  healthRoutes({ checks })(http, edge)
  if (metrics !== undefined) metricsRoutes({ metrics })(http, edge)
  if (settings.role === 'worker') return http

  for (const routes of FEATURE_ROUTES) routes(http, edge)
  apiDescriptionRoutes(http, edge)
  await servePages(http, ctx)
  return http
}

async function servePages(http: HttpApp, ctx: Context) {
  const { webDirectory } = ctx
  if (webDirectory === undefined) return
  const describePage = async (headers: Headers) => {
    const guest = (await readSessionToken(ctx, headers)) === undefined
    const user = guest ? null : await findUser(ctx, headers)
    return { guest, instance: await describeInstance(ctx, user) }
  }
  await serveWebApp(http, { directory: webDirectory, describePage })
}

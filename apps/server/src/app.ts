import type { Database } from './db/executor.ts'
import { categoriesRoutes } from './features/categories/categories.routes.ts'
import { createCategoriesService } from './features/categories/categories.service.ts'
import { createPromptsService } from './features/prompts/prompts.service.ts'
import type { HttpApp } from './platform/http/routes.ts'
import { createHttpServer } from './platform/http/server.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import type { Log } from './platform/log/log.ts'
import type { Settings } from './settings.ts'

export interface AppDeps {
  settings: Settings & { secretKey: string }
  db: Database
  log: Log
  /** Where the built web app lies; absent for a program without one. */
  webDirectory?: string | undefined
}

export interface App {
  http: HttpApp
  close(): Promise<void>
}

/** The only wiring: services, then their edges. Tests call it with the same arguments as `main`. */
export async function buildApp({ settings, db, log, webDirectory }: AppDeps): Promise<App> {
  const prompts = createPromptsService({ db })
  const categories = createCategoriesService({ db, prompts })
  await categories.createInitial()

  const http = await createHttpServer({ log, ...settings, findUser: async () => null })
  for (const routes of [categoriesRoutes({ categories })]) routes(http)
  http.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  if (webDirectory !== undefined) await serveWebApp(http, { directory: webDirectory })

  return { http, close: () => http.close() }
}

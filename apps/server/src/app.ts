import type { Database } from './db/executor.ts'
import { createAuth } from './features/accounts/accounts.auth.ts'
import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { createAccountsService } from './features/accounts/accounts.service.ts'
import { categoriesRoutes } from './features/categories/categories.routes.ts'
import { createCategoriesService } from './features/categories/categories.service.ts'
import { createEngine } from './features/executions/executions.engine.ts'
import { executionsRoutes } from './features/executions/executions.routes.ts'
import { createExecutionsService } from './features/executions/executions.service.ts'
import { promptsRoutes } from './features/prompts/prompts.routes.ts'
import { createPromptsService } from './features/prompts/prompts.service.ts'
import { tagsRoutes } from './features/tags/tags.routes.ts'
import { createTagsService } from './features/tags/tags.service.ts'
import { variablesRoutes } from './features/variables/variables.routes.ts'
import { createVariablesService } from './features/variables/variables.service.ts'
import type { HttpApp } from './platform/http/routes.ts'
import { createHttpServer } from './platform/http/server.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import type { Log } from './platform/log/log.ts'
import type { Models } from './platform/models/models.ts'
import type { Settings } from './settings.ts'

export interface AppDeps {
  settings: Settings & { secretKey: string }
  db: Database
  models: Models
  log: Log
  /** Where the built web app lies; absent for a program without one. */
  webDirectory?: string | undefined
  /** The clock, where a test sets it. */
  now?: () => Date
}

export interface App {
  http: HttpApp
  close(): Promise<void>
}

/** The only wiring: services, then their edges. Tests call it with the same arguments as `main`. */
export async function buildApp({
  settings,
  db,
  models,
  log,
  webDirectory,
  now = () => new Date(),
}: AppDeps): Promise<App> {
  const auth = createAuth({ db, log, ...settings })
  const accounts = createAccountsService({ db, auth, registration: settings.registration, now })
  if (settings.admin !== undefined) await accounts.ensureAdmin(settings.admin)
  const tags = createTagsService({ db })
  const variables = createVariablesService({ db, tags })
  const prompts = createPromptsService({ db, tags })
  const categories = createCategoriesService({ db, prompts })
  await categories.createInitial()
  const engine = createEngine({ db, models, log })
  const executions = createExecutionsService({ db, engine, prompts, variables })

  const http = await createHttpServer({ log, ...settings, findUser: accounts.findUser })
  const edges = [
    accountsRoutes({ accounts }),
    categoriesRoutes({ categories }),
    tagsRoutes({ tags }),
    variablesRoutes({ variables }),
    promptsRoutes({ prompts }),
    executionsRoutes({ executions }),
  ]
  for (const routes of edges) routes(http)
  http.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  if (webDirectory !== undefined) await serveWebApp(http, { directory: webDirectory })

  return {
    http,
    close: async () => {
      await engine.close()
      await http.close()
    },
  }
}

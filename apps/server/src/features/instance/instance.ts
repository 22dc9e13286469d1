import type { Database } from '../../db/executor.ts'
import type { Context } from '../../platform/context.ts'
import { readBuild } from '../../platform/http/web-app.ts'
import { registrationNow } from '../accounts/accounts.ts'
import type { ModelRegistry } from '../models/models.ts'
import { instanceRoutes } from './instance.routes.ts'
import { createInstanceService } from './instance.service.ts'

interface Features {
  registry: Pick<ModelRegistry, 'listFor'>
}

/** What this installation is. */
export async function createInstance(ctx: Context<Database>, { registry }: Features) {
  const { db, mail, models, move, webDirectory } = ctx
  const build = await readBuild(webDirectory)
  const instance = createInstanceService({
    db,
    models,
    registry,
    mail,
    move,
    registrationNow: () => registrationNow(ctx),
    build,
  })
  return { service: instance, routes: [instanceRoutes({ instance })] }
}

import { readBuild } from '../../platform/http/web-app.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AccountsService } from '../accounts/accounts.ts'
import type { ModelRegistry } from '../models/models.ts'
import { instanceRoutes } from './instance.routes.ts'
import { createInstanceService } from './instance.service.ts'

interface Features {
  accounts: Pick<AccountsService, 'registrationNow'>
  registry: Pick<ModelRegistry, 'listFor'>
}

/** What this installation is. */
export async function createInstance(
  {
    db,
    mail,
    models,
    move,
    webDirectory,
  }: Pick<Platform, 'db' | 'mail' | 'models' | 'move' | 'webDirectory'>,
  { accounts: { registrationNow }, registry }: Features,
) {
  const build = await readBuild(webDirectory)
  const instance = createInstanceService({ db, models, registry, mail, move, registrationNow, build })
  return { service: instance, routes: [instanceRoutes({ instance })] }
}

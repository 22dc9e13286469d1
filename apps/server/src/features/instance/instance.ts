import { readBuild } from '../../platform/http/web-app.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AccountsService } from '../accounts/accounts.ts'
import { instanceRoutes } from './instance.routes.ts'
import { createInstanceService } from './instance.service.ts'

interface Features {
  accounts: Pick<AccountsService, 'registrationNow'>
}

/** What this installation is. */
export async function createInstance(
  { db, mail, models, webDirectory }: Pick<Platform, 'db' | 'mail' | 'models' | 'webDirectory'>,
  { accounts: { registrationNow } }: Features,
) {
  const build = await readBuild(webDirectory)
  const instance = createInstanceService({ db, models, mail, registrationNow, build })
  return { service: instance, routes: [instanceRoutes({ instance })] }
}

import { bearerOf } from '../../platform/http/bearer-token.ts'
import type { HttpRequest } from '../../platform/http/routes.ts'
import type { Platform } from '../../platform/platform.ts'
import { foldersRoutes } from './folders.routes.ts'
import { createFoldersService, type FoldersDeps } from './folders.service.ts'

/** What `catenary pull`, `push`, `diff` and `evaluate` speak to. */
export function createFolders({ db }: Pick<Platform, 'db'>, features: Omit<FoldersDeps, 'db'>) {
  const folders = createFoldersService({ db, ...features })
  return {
    service: { admit: (request: HttpRequest) => folders.admit(bearerOf(request)) },
    routes: [foldersRoutes({ folders })],
  }
}

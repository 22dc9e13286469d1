import type { Platform } from '../../platform/platform.ts'
import { foldersRoutes } from './folders.routes.ts'
import { createFoldersService, type FoldersDeps } from './folders.service.ts'

/** What `catenary pull`, `push`, `diff` and `evaluate` speak to. */
export function createFolders({ db }: Pick<Platform, 'db'>, features: Omit<FoldersDeps, 'db'>) {
  return { routes: [foldersRoutes({ folders: createFoldersService({ db, ...features }) })] }
}

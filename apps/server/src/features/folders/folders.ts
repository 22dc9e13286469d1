import type { Platform } from '../../platform/platform.ts'
import { type FoldersDeps, foldersRoutes } from './folders.routes.ts'
import { createFoldersService } from './folders.service.ts'

/** What `catenary pull`, `push`, `diff` and `evaluate` speak to. */
export function createFolders({ db }: Pick<Platform, 'db'>, features: Omit<FoldersDeps, 'db'>) {
  return { routes: [foldersRoutes({ folders: createFoldersService({ db, ...features }) })] }
}

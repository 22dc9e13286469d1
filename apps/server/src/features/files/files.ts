import type { Platform } from '../../platform/platform.ts'
import { filesRoutes } from './files.routes.ts'
import { createFilesService } from './files.service.ts'

export type FilesService = ReturnType<typeof createFiles>['service']

/** Texts that people upload for their variables. */
export function createFiles({ db, now }: Pick<Platform, 'db' | 'now'>) {
  const files = createFilesService({ db, now })
  const { uploadIn, read, hold, deleteUnused } = files
  return { service: { uploadIn, read, hold, deleteUnused }, routes: [filesRoutes({ files })] }
}

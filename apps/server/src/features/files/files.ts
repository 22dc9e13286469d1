import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import { filesRoutes } from './files.routes.ts'
import { createFilesService } from './files.service.ts'
import { createMediaService } from './media.service.ts'

export type FilesService = ReturnType<typeof createFiles>['service']
export const filesSlot = slot<FilesService>()

/** Texts, images and PDFs that people upload for their variables and runs. */
export function createFiles(platform: Pick<Platform, 'db' | 'now' | 'bounded' | 'outbound'>) {
  const files = createFilesService(platform)
  const media = createMediaService(platform)
  const { uploadIn, read, hold, deleteUnused } = files
  return {
    service: { uploadIn, read, hold, deleteUnused, ...media },
    routes: [filesRoutes({ files, media })],
  }
}

import { filesApi } from '@catenary/contracts'
import type { FastifyError } from 'fastify'
import { AppError } from '../../errors.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { type FilesService, fileTooLarge } from './files.service.ts'
import { type MediaService, mediaTooLarge } from './media.service.ts'

export const filesRoutes = ({ files, media }: { files: FilesService; media: MediaService }): Routes =>
  handlers(
    filesApi,
    {
      'POST /api/upload': async (_, { body, user }) => ({ filePath: await files.upload({ ...body, user }) }),
      'POST /api/files': (_, { body, user, signal }) =>
        media.storeMedia({ ...body, userId: user.id, signal }),
      'GET /api/files/{id}': async (_, { params, user }) => {
        const found = await media.readMedia(params.id)
        if (found?.file.ownerId !== user.id) throw new AppError('not_found', 'File not found')
        return found
      },
    },
    {
      'POST /api/upload': { errorHandler: insteadOfTooLarge(fileTooLarge) },
      'POST /api/files': { errorHandler: insteadOfTooLarge(() => mediaTooLarge('document')) },
    },
  )

/** Says of a body that is too large what would be said of its file. */
function insteadOfTooLarge(toError: () => AppError) {
  return (error: FastifyError) => {
    throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? toError() : error
  }
}

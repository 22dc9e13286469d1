import { filesApi } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { HttpError } from '../../platform/http/routes.ts'
import { mediaTooLarge, readMedia, storeMedia } from './media.ts'
import { fileTooLarge, uploadText } from './texts.ts'

export { findMedia, readMedia, storeMedia } from './media.ts'
export { copyFile, deleteUnused, holdFile, readText, uploadText } from './texts.ts'

export const serveFiles = handlers(
  filesApi,
  {
    'POST /api/upload': async (ctx, { body, user }) => ({
      filePath: await uploadText(ctx, { ...body, user }),
    }),
    'POST /api/files': (ctx, { body, user, signal }) => storeMedia(ctx, { ...body, userId: user.id, signal }),
    'GET /api/files/{id}': async (ctx, { params, user }) => {
      const found = await readMedia(ctx, params.id)
      if (found?.file.ownerId !== user.id) throw new AppError('not_found', 'File not found')
      return found
    },
  },
  {
    'POST /api/upload': { errorHandler: insteadOfTooLarge(fileTooLarge) },
    'POST /api/files': { errorHandler: insteadOfTooLarge(() => mediaTooLarge('document')) },
  },
)

function insteadOfTooLarge(toError: () => AppError) {
  return (error: HttpError) => {
    throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? toError() : error
  }
}

import { filesApi } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, slot } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { HttpError } from '../../platform/http/routes.ts'
import { findMedia, mediaTooLarge, readMedia, storeMedia } from './media.ts'
import { deleteUnused, fileTooLarge, holdFile, readText, uploadText } from './texts.ts'

export { findMedia, readMedia, storeMedia } from './media.ts'
export { deleteUnused, holdFile, readText, uploadText } from './texts.ts'

/** Texts, images and PDFs that people upload for their variables and runs. */
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

/** Says of a body that is too large what would be said of its file. */
function insteadOfTooLarge(toError: () => AppError) {
  return (error: HttpError) => {
    throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? toError() : error
  }
}

export type FilesService = ReturnType<typeof filesService>
export const filesSlot = slot<FilesService>()

/** For features that are closures still; it goes with the last of them. */
export function filesService(ctx: Context) {
  return {
    uploadIn: (db: Executor, wanted: Parameters<typeof uploadText>[1]) => uploadText({ ...ctx, db }, wanted),
    read: (file: Parameters<typeof readText>[1]) => readText(ctx, file),
    hold: (db: Transaction, file: Parameters<typeof holdFile>[1]) => holdFile({ db }, file),
    deleteUnused: () => deleteUnused(ctx),
    storeMedia: (file: Parameters<typeof storeMedia>[1]) => storeMedia(ctx, file),
    findMedia: (wanted: Parameters<typeof findMedia>[1]) => findMedia(ctx, wanted),
    readMedia: (fileId: number) => readMedia(ctx, fileId),
  }
}

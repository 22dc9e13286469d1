import { idParams, storedFile, storeFileRequest, uploadReply, uploadRequest } from '@catenary/contracts'
import type { FastifyError } from 'fastify'
import { AppError } from '../../errors.ts'
import { abortOnDisconnect } from '../../platform/http/event-stream.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { sendMedia } from '../../platform/http/send-media.ts'
import { requireUser } from '../../platform/http/session.ts'
import { type FilesService, fileTooLarge } from './files.service.ts'
import { type MediaService, mediaTooLarge } from './media.service.ts'

/** Room for a file of lines and quotes, which JSON writes with two characters each. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024
/** Room for the largest PDF in base64. */
const MEDIA_LIMIT_BYTES = 14 * 1024 * 1024

export function filesRoutes({ files, media }: { files: FilesService; media: MediaService }): Routes {
  return (app) => {
    mediaRoutes(app, media)
    app.post(
      '/api/upload',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        errorHandler: (error: FastifyError) => {
          throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? fileTooLarge() : error
        },
        schema: {
          tags: ['variables'],
          summary: 'Upload the text of a file variable',
          description: 'A file that no variable refers to is deleted after a day.',
          body: uploadRequest,
          response: { 201: uploadReply },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        return reply.code(201).send({ filePath: await files.upload({ ...request.body, user }) })
      },
    )
  }
}

function mediaRoutes(app: HttpApp, media: MediaService): void {
  app.post(
    '/api/files',
    {
      config: { writes: 'file' },
      bodyLimit: MEDIA_LIMIT_BYTES,
      errorHandler: (error: FastifyError) => {
        throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? mediaTooLarge('document') : error
      },
      schema: {
        tags: ['variables'],
        summary: 'Keep an image or a PDF',
        description:
          'PNG, JPEG, WebP or PDF, told by its bytes; what an image says of place, device and person is left out. ' +
          'A file that no variable and no run refers to is deleted after a day.',
        body: storeFileRequest,
        response: { 201: storedFile },
      },
    },
    async (request, reply) => {
      const { id: userId } = await requireUser(request)
      const signal = abortOnDisconnect(reply)
      return reply.code(201).send(await media.storeMedia({ ...request.body, userId, signal }))
    },
  )

  app.get(
    '/api/files/:id',
    { schema: { tags: ['variables'], summary: 'The bytes of one of your images or PDFs', params: idParams } },
    async (request, reply) => {
      const user = await requireUser(request)
      const found = await media.readMedia(request.params.id)
      if (found?.file.ownerId !== user.id) throw new AppError('not_found', 'File not found')
      return sendMedia(reply, found)
    },
  )
}

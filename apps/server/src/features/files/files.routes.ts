import { uploadReply, uploadRequest } from '@catenary/contracts'
import type { FastifyError } from 'fastify'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { type FilesService, fileTooLarge } from './files.service.ts'

/** Room for a file of lines and quotes, which JSON writes with two characters each. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

export function filesRoutes({ files }: { files: FilesService }): Routes {
  return (app) => {
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

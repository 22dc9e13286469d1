import { foldersApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { FoldersService } from './folders.service.ts'

export const foldersRoutes = ({ folders }: { folders: FoldersService }): Routes =>
  handlers(foldersApi, {
    'GET /api/folder': async (_, { token, query: { label }, reply }) => {
      const content = await folders.pull({ token, label })
      return reply.type('application/zip').send(content)
    },
    'POST /api/folder/push': (_, { token, body, signal }) => folders.push({ token, request: body, signal }),
    'POST /api/folder/evaluations': (_, { token, body }) => folders.evaluate({ token, request: body }),
    'GET /api/folder/evaluations/{id}': (_, { token, params }) =>
      folders.findEvaluation({ token, ...params }),
  })

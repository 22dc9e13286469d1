import { importsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ImportsService } from './imports.service.ts'

export const importsRoutes = ({ imports }: { imports: ImportsService }): Routes =>
  handlers(importsApi, {
    'POST /api/import': (_, { body, user, signal }) => imports.run({ user, request: body, signal }),
    'GET /api/imports': (_, { user }) => imports.list(user),
    'GET /api/imports/{id}': (_, { params, user }) => imports.find({ ...params, user }),
    'POST /api/imports/{id}/undo': (_, { params, user }) => imports.undo({ ...params, user }),
  })

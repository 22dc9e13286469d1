import { selectionsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { SelectionsService } from './selections.service.ts'

export const selectionsRoutes = ({ selections }: { selections: SelectionsService }): Routes =>
  handlers(selectionsApi, {
    'GET /api/best-selections': (_, { user, query }) => selections.list({ user, query }),
    'GET /api/best-selections/{id}': (_, { params, user }) => selections.find({ ...params, user }),
    'POST /api/best-selections/{id}/correction': (_, { params, body, user }) =>
      selections.correct({ ...params, ...body, user }),
  })

import { examplesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ExamplesService } from './examples.service.ts'

export const examplesRoutes = ({ examples }: { examples: ExamplesService }): Routes =>
  handlers(examplesApi, {
    'GET /api/examples': (_, { user }) => examples.find(user),
    'POST /api/examples': (_, { user }) => examples.make(user),
    'DELETE /api/examples': (_, { user }) => examples.remove(user),
  })

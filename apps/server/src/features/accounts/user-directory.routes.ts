import { userDirectoryApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { UserDirectory } from './user-directory.service.ts'

export const userDirectoryRoutes = ({ directory }: { directory: UserDirectory }): Routes =>
  handlers(userDirectoryApi, {
    'GET /api/users/search': (_, { query }) => directory.search(query.name),
  })

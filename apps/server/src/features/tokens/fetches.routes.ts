import { fetchesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { Fetches } from './fetches.service.ts'

export const fetchesRoutes = ({ fetches }: { fetches: Fetches }): Routes =>
  handlers(fetchesApi, { 'GET /api/fetches': (_, { user, query }) => fetches.listOwn({ user, query }) })

import { ratingsApi } from '@catenary/contracts'
import { handlers } from '../../../platform/http/endpoints.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import type { RatingsService } from './ratings.service.ts'

export const ratingsRoutes = ({ ratings }: { ratings: RatingsService }): Routes =>
  handlers(ratingsApi, {
    'GET /api/executions/{id}/ratings': (_, { params, user }) => ratings.list({ ...params, user }),
    'PUT /api/executions/{id}/rating': (_, { params, body: rating, user }) =>
      ratings.save({ ...params, user, rating }),
    'DELETE /api/executions/{id}/rating': (_, { params, user }) => ratings.delete({ ...params, user }),
  })

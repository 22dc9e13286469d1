import { idParams, rateRequest, rating, runRatings } from '@catenary/contracts'
import { defineDeleteRoute } from '../../../platform/http/delete-route.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { requireUser } from '../../../platform/http/session.ts'
import type { RatingsService } from './ratings.service.ts'

const tags = ['executions']
const path = '/api/executions/:id/rating'

export function ratingsRoutes({ ratings }: { ratings: RatingsService }): Routes {
  return (app) => {
    app.get(
      '/api/executions/:id/ratings',
      {
        schema: {
          tags,
          summary: 'Your rating of a run, and for who started it those of others',
          params: idParams,
          response: { 200: runRatings },
        },
      },
      async (request) => ratings.list({ id: request.params.id, user: await requireUser(request) }),
    )

    app.put(
      path,
      {
        schema: {
          tags,
          summary: 'Rate the answer of a run that you may read',
          params: idParams,
          body: rateRequest,
          response: { 200: rating },
        },
      },
      async (request) => {
        const { params, body } = request
        return ratings.save({ id: params.id, user: await requireUser(request), rating: body })
      },
    )

    defineDeleteRoute(app, path, {
      tags,
      summary: 'Take your rating back',
      params: idParams,
      remove: async (call) => ratings.delete({ id: call.params.id, user: await requireUser(call) }),
    })
  }
}

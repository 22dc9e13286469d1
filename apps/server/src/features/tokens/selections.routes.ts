import {
  bestChainSelection,
  correctedSelection,
  correctSelectionRequest,
  idParams,
  listedSelection,
  listSelectionsQuery,
} from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { SelectionsService } from './selections.service.ts'

export function selectionsRoutes({ selections }: { selections: SelectionsService }): Routes {
  return (app) => {
    defineListRoute(app, '/api/best-selections', {
      tags: ['tokens'],
      summary: 'What Best Chain chose for requests with your tokens, newest first',
      querystring: listSelectionsQuery,
      item: listedSelection,
      errors: errorReplies(401),
      read: async (call) => selections.list({ user: await requireUser(call), query: call.query }),
    })

    app.get(
      '/api/best-selections/:id',
      {
        schema: {
          tags: ['tokens'],
          summary: 'One choice of Best Chain with all its scores',
          params: idParams,
          response: { 200: bestChainSelection },
        },
      },
      async (request) => selections.find({ id: request.params.id, user: await requireUser(request) }),
    )

    app.post(
      '/api/best-selections/:id/correction',
      {
        schema: {
          tags: ['tokens'],
          summary: 'Say which chain a choice should have been',
          description: 'The request becomes an example of that chain, if you may edit it.',
          params: idParams,
          body: correctSelectionRequest,
          response: { 200: correctedSelection },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return selections.correct({ id: request.params.id, chainId: request.body.chainId, user })
      },
    )
  }
}

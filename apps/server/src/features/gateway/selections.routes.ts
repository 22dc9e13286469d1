import {
  bestChainSelection,
  correctedSelection,
  correctSelectionRequest,
  idParams,
  listSelectionsQuery,
} from '@catenary/contracts'
import * as z from 'zod'
import { errorReplies } from '../../platform/http/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { SelectionsService } from './selections.service.ts'

export function selectionsRoutes({ selections }: { selections: SelectionsService }): Routes {
  return (app) => {
    app.get(
      '/api/best-selections',
      {
        schema: {
          tags: ['tokens'],
          summary: 'What Best Chain chose for requests with your tokens, newest first',
          querystring: listSelectionsQuery,
          response: { 200: z.array(bestChainSelection), ...errorReplies(401) },
        },
      },
      async (request) => selections.list({ user: await requireUser(request), query: request.query }),
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

import { listFetchesQuery, promptFetch } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { Fetches } from './fetches.service.ts'

export function fetchesRoutes({ fetches }: { fetches: Fetches }): Routes {
  return (app) => {
    defineListRoute(app, '/api/fetches', {
      tags: ['tokens'],
      summary: 'What was fetched with your tokens, the last one first',
      description:
        'Of each prompt and skill that you can see: which version, by which label, with which client.',
      querystring: listFetchesQuery,
      item: promptFetch,
      errors: errorReplies(401),
      read: async (call) => fetches.listOwn({ user: await requireUser(call), query: call.query }),
    })
  }
}

import { listOwnTokensQuery, ownToken } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { listAllOwnTokens } from './operations/list-tokens.ts'
import type { TokensDeps } from './tokens-deps.ts'

export function ownTokensRoutes(deps: TokensDeps): Routes {
  return (app) => {
    defineListRoute(app, '/api/own-tokens', {
      tags: ['tokens'],
      summary: 'Your tokens of every kind, newest first',
      querystring: listOwnTokensQuery,
      item: ownToken,
      errors: errorReplies(401),
      read: async (call) => listAllOwnTokens(deps, { user: await requireUser(call), query: call.query }),
    })
  }
}

import {
  createdReadToken,
  createReadTokenRequest,
  idParams,
  listQuery,
  readToken,
  updateReadTokenRequest,
} from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { updateReadToken } from './operations/change-token.ts'
import { createReadToken } from './operations/create-token.ts'
import { listOwnTokens } from './operations/list-tokens.ts'
import type { TokensDeps } from './tokens-deps.ts'

const tags = ['tokens']

export function readTokensRoutes(deps: TokensDeps): Routes {
  return (app) => {
    defineListRoute(app, '/api/read-tokens', {
      tags,
      summary: 'Your read tokens, newest first',
      querystring: listQuery,
      item: readToken,
      errors: errorReplies(401),
      read: async (call) =>
        listOwnTokens(deps, { kind: 'read', user: await requireUser(call), query: call.query }),
    })

    app.post(
      '/api/read-tokens',
      {
        // A reply that holds a value is kept for its key only where values are.
        config: { idempotency: deps.keepsValues ? 'json' : 'off' },
        schema: {
          tags,
          summary: 'Create a read token, with which code fetches prompts',
          description: 'The reply holds its value.',
          body: createReadTokenRequest,
          response: { 201: createdReadToken, ...errorReplies(404) },
        },
      },
      async (request, reply) => {
        const created = await createReadToken(deps, {
          fields: request.body,
          user: await requireUser(request),
        })
        return reply.code(201).header('cache-control', 'no-store').send(created)
      },
    )

    app.patch(
      '/api/read-tokens/:id',
      {
        schema: {
          tags,
          summary: 'Change a read token: all but its value',
          params: idParams,
          body: updateReadTokenRequest,
          response: { 200: readToken },
        },
      },
      async (request) =>
        updateReadToken(deps, {
          id: request.params.id,
          fields: request.body,
          user: await requireUser(request),
        }),
    )
  }
}

import {
  createdFolderToken,
  createFolderTokenRequest,
  folderToken,
  idParams,
  listQuery,
  updateFolderTokenRequest,
} from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { createFolderToken, updateFolderToken } from './operations/folder-token.ts'
import { listOwnTokens } from './operations/list-tokens.ts'
import type { TokensDeps } from './tokens-deps.ts'

const tags = ['tokens']

export function folderTokensRoutes(deps: TokensDeps): Routes {
  return (app) => {
    defineListRoute(app, '/api/folder-tokens', {
      tags,
      summary: 'Your folder tokens, newest first',
      querystring: listQuery,
      item: folderToken,
      errors: errorReplies(401),
      read: async (call) =>
        listOwnTokens(deps, { kind: 'folder', user: await requireUser(call), query: call.query }),
    })

    app.post(
      '/api/folder-tokens',
      {
        // A reply that holds a value is kept for its key only where values are.
        config: { idempotency: deps.keepsValues ? 'json' : 'off' },
        schema: {
          tags,
          summary: 'Create a folder token, with which `catenary pull` and its like read and write',
          description: 'The reply holds its value.',
          body: createFolderTokenRequest,
          response: { 201: createdFolderToken, ...errorReplies(401) },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        const created = await createFolderToken(deps, { fields: request.body, user })
        return reply.code(201).header('cache-control', 'no-store').send(created)
      },
    )

    app.patch(
      '/api/folder-tokens/:id',
      {
        schema: {
          tags,
          summary: 'Change a folder token: all but its value',
          params: idParams,
          body: updateFolderTokenRequest,
          response: { 200: folderToken },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return updateFolderToken(deps, { id: request.params.id, fields: request.body, user })
      },
    )
  }
}

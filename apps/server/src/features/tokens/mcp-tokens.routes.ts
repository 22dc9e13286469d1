import {
  createdMcpToken,
  createMcpTokenRequest,
  idParams,
  listQuery,
  mcpToken,
  updateMcpTokenRequest,
} from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { updateMcpToken } from './operations/change-token.ts'
import { createMcpToken } from './operations/create-token.ts'
import { listOwnTokens } from './operations/list-tokens.ts'
import type { TokensDeps } from './tokens-deps.ts'

const tags = ['tokens']

export function mcpTokensRoutes(deps: TokensDeps): Routes {
  return (app) => {
    defineListRoute(app, '/api/mcp-tokens', {
      tags,
      summary: 'Your tokens for agents, newest first',
      querystring: listQuery,
      item: mcpToken,
      errors: errorReplies(401),
      read: async (call) =>
        listOwnTokens(deps, { kind: 'mcp', user: await requireUser(call), query: call.query }),
    })

    app.post(
      '/api/mcp-tokens',
      {
        // A reply that holds a value is kept for its key only where values are.
        config: { idempotency: deps.keepsValues ? 'json' : 'off' },
        schema: {
          tags,
          summary: 'Create a token for agents, with which MCP clients connect to POST /mcp',
          description: 'The reply holds its value.',
          body: createMcpTokenRequest,
          response: { 201: createdMcpToken, ...errorReplies(404) },
        },
      },
      async (request, reply) => {
        const created = await createMcpToken(deps, { fields: request.body, user: await requireUser(request) })
        return reply.code(201).header('cache-control', 'no-store').send(created)
      },
    )

    app.patch(
      '/api/mcp-tokens/:id',
      {
        schema: {
          tags,
          summary: 'Change a token for agents: all but its value',
          params: idParams,
          body: updateMcpTokenRequest,
          response: { 200: mcpToken },
        },
      },
      async (request) =>
        updateMcpToken(deps, {
          id: request.params.id,
          fields: request.body,
          user: await requireUser(request),
        }),
    )
  }
}

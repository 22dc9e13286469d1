import { idParams, mcpTokenSees } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { McpSees } from './mcp-sees.service.ts'

export function mcpSeesRoutes({ sees }: { sees: McpSees }): Routes {
  return (app) => {
    app.get(
      '/api/mcp-tokens/:id/sees',
      {
        schema: {
          tags: ['tokens'],
          summary: 'What a client that connects with a token lists now, for who created it',
          params: idParams,
          response: { 200: mcpTokenSees, ...errorReplies(401) },
        },
      },
      async (request) => sees({ id: request.params.id, user: await requireUser(request) }),
    )
  }
}

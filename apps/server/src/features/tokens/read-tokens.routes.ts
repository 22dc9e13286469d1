import {
  createdReadToken,
  createReadTokenRequest,
  idParams,
  listQuery,
  noContent,
  readToken,
  updateReadTokenRequest,
} from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { TokensService } from './tokens.service.ts'

const readTokenList = defineListReply(readToken)
const tags = ['tokens']

interface ReadTokensEdge {
  tokens: TokensService
  /** A reply that holds a value is kept for its key only where values are. */
  keepsValues: boolean
}

export function readTokensRoutes({ tokens, keepsValues }: ReadTokensEdge): Routes {
  return (app) => {
    app.get(
      '/api/read-tokens',
      {
        schema: {
          tags,
          summary: 'Your read tokens, newest first',
          querystring: listQuery,
          response: { 200: readTokenList.schema, ...errorReplies(401) },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        return readTokenList.send(reply, await tokens.listRead({ user, query: request.query }))
      },
    )

    app.post(
      '/api/read-tokens',
      {
        config: { idempotency: keepsValues ? 'json' : 'off' },
        schema: {
          tags,
          summary: 'Create a read token, with which code fetches prompts',
          description: 'The reply holds its value.',
          body: createReadTokenRequest,
          response: { 201: createdReadToken, ...errorReplies(404) },
        },
      },
      async (request, reply) => {
        const created = await tokens.createRead({ fields: request.body, user: await requireUser(request) })
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
        tokens.updateRead({ id: request.params.id, fields: request.body, user: await requireUser(request) }),
    )

    app.delete(
      '/api/read-tokens/:id',
      { schema: { tags, summary: 'End a read token', params: idParams, response: { 204: noContent } } },
      async (request, reply) => {
        await tokens.delete({ id: request.params.id, user: await requireUser(request), kind: 'read' })
        return reply.code(204).send()
      },
    )
  }
}

import {
  bestToken,
  chainToken,
  createBestTokenRequest,
  createdBestToken,
  createdChainToken,
  createdFolderToken,
  createdMcpToken,
  createdReadToken,
  createTokenRequest,
  idParams,
  listQuery,
  listTokensQuery,
  rotateTokenRequest,
  type TokenType,
  tokenValue,
  updateBestTokenRequest,
  updateTokenRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { toActorKey } from '../../platform/http/actor-key.ts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import { deleteToken, updateBestToken, updateChainToken } from './operations/change-token.ts'
import { createBestToken, createChainToken } from './operations/create-token.ts'
import { listChainTokens, listOwnTokens } from './operations/list-tokens.ts'
import { revealToken, rotateToken } from './operations/token-values.ts'
import type { TokensDeps } from './tokens-deps.ts'

/** How often a person may copy values a minute. */
const REVEALS_PER_MINUTE = 30

/** Where the tokens of a kind are ended; those of chains' end whatever their kind. */
const ENDS: { path: string; kind?: TokenType; summary: string }[] = [
  { path: '/api/tokens/:id', summary: 'End a token, for who created it or may edit its chain' },
  { path: '/api/api-tokens/:id', kind: 'best', summary: 'End a Best Chain token' },
  { path: '/api/read-tokens/:id', kind: 'read', summary: 'End a read token' },
  { path: '/api/mcp-tokens/:id', kind: 'mcp', summary: 'End a token for agents, and what is open by it' },
  { path: '/api/folder-tokens/:id', kind: 'folder', summary: 'End a folder token' },
]

export function tokensRoutes(deps: TokensDeps): Routes {
  return (app) => {
    chainTokenRoutes(app, deps)
    bestTokenRoutes(app, deps)
    deleteRoutes(app, deps)
    valueRoutes(app, deps)
  }
}

/** A reply that holds a value is kept for its key only where values are. */
const newValue = ({ keepsValues }: TokensDeps) => ({
  config: { idempotency: keepsValues ? ('json' as const) : ('off' as const) },
})

function chainTokenRoutes(app: HttpApp, deps: TokensDeps): void {
  const tags = ['tokens']
  defineListRoute(app, '/api/tokens', {
    tags,
    summary: "A chain's tokens, newest first",
    querystring: listTokensQuery,
    item: chainToken,
    errors: errorReplies(403, 404),
    read: async (call) => {
      const { chainId, ...query } = call.query
      return listChainTokens(deps, { chainId, user: await requireUser(call), query })
    },
  })

  app.post(
    '/api/tokens',
    {
      ...newValue(deps),
      schema: {
        tags,
        summary: 'Create a token for a chain',
        description: 'The reply holds its value.',
        body: createTokenRequest,
        response: { 201: createdChainToken, ...errorReplies(404) },
      },
    },
    async (request, reply) => {
      const created = await createChainToken(deps, { fields: request.body, user: await requireUser(request) })
      return reply.code(201).header('cache-control', 'no-store').send(created)
    },
  )

  app.patch(
    '/api/tokens/:id',
    {
      schema: {
        tags,
        summary: "Change a chain's token, for who created it",
        params: idParams,
        body: updateTokenRequest,
        response: { 200: chainToken },
      },
    },
    async (request) =>
      updateChainToken(deps, {
        id: request.params.id,
        fields: request.body,
        user: await requireUser(request),
      }),
  )
}

function bestTokenRoutes(app: HttpApp, deps: TokensDeps): void {
  const tags = ['tokens']
  defineListRoute(app, '/api/best-tokens', {
    tags,
    summary: 'Your Best Chain tokens, newest first',
    querystring: listQuery,
    item: bestToken,
    errors: errorReplies(401),
    read: async (call) =>
      listOwnTokens(deps, { kind: 'best', user: await requireUser(call), query: call.query }),
  })

  app.post(
    '/api/best-tokens',
    {
      ...newValue(deps),
      schema: {
        tags,
        summary: 'Create a Best Chain token',
        description: 'The reply holds its value.',
        body: createBestTokenRequest,
        response: { 201: createdBestToken, ...errorReplies(404) },
      },
    },
    async (request, reply) => {
      const created = await createBestToken(deps, { fields: request.body, user: await requireUser(request) })
      return reply.code(201).header('cache-control', 'no-store').send(created)
    },
  )

  app.patch(
    '/api/api-tokens/:id',
    {
      schema: {
        tags,
        summary: 'Change a Best Chain token: all but its value',
        params: idParams,
        body: updateBestTokenRequest,
        response: { 200: bestToken },
      },
    },
    async (request) =>
      updateBestToken(deps, {
        id: request.params.id,
        fields: request.body,
        user: await requireUser(request),
      }),
  )
}

function deleteRoutes(app: HttpApp, deps: TokensDeps): void {
  for (const { path, kind, summary } of ENDS) {
    defineDeleteRoute(app, path, {
      tags: ['tokens'],
      summary,
      params: idParams,
      remove: async (call) => deleteToken(deps, { id: call.params.id, user: await requireUser(call), kind }),
    })
  }
}

function valueRoutes(app: HttpApp, deps: TokensDeps): void {
  const limitReveals = app.rateLimit({
    max: REVEALS_PER_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: toActorKey,
    groupId: 'reveals',
  })
  app.get(
    '/api/tokens/:id/value',
    {
      onRequest: limitReveals,
      config: { crossSiteCheck: true },
      schema: {
        tags: ['tokens'],
        summary: "A token's value, of whichever kind, for who created it",
        params: idParams,
        response: { 200: tokenValue, ...errorReplies(401, 403, 404, 410, 429) },
      },
    },
    async (request, reply) => {
      const token = await revealToken(deps, { id: request.params.id, user: await requireUser(request) })
      return reply.header('cache-control', 'no-store').send({ token })
    },
  )

  app.post(
    '/api/tokens/:id/rotate',
    {
      ...newValue(deps),
      schema: {
        tags: ['tokens'],
        summary: 'Give a token of whichever kind a new value, for who created it',
        description: 'The reply holds it. The value before works on for `overlapMinutes`.',
        params: idParams,
        body: rotateTokenRequest,
        response: {
          200: z.union([
            createdChainToken,
            createdBestToken,
            createdReadToken,
            createdMcpToken,
            createdFolderToken,
          ]),
          ...errorReplies(403),
        },
      },
    },
    async (request, reply) => {
      const { overlapMinutes = 0 } = request.body ?? {}
      const user = await requireUser(request)
      const rotated = await rotateToken(deps, { id: request.params.id, user, overlapMinutes })
      return reply.header('cache-control', 'no-store').send(rotated)
    },
  )
}

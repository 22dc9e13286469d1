import {
  bestToken,
  chainToken,
  createBestTokenRequest,
  createdBestToken,
  createdChainToken,
  createdReadToken,
  createTokenRequest,
  idParams,
  listQuery,
  listTokensQuery,
  noContent,
  rotateTokenRequest,
  tokenValue,
  updateBestTokenRequest,
  updateTokenRequest,
} from '@catenary/contracts'
import * as z from 'zod'
import { toActorKey } from '../../platform/http/actor-key.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { TokensService } from './tokens.service.ts'

const chainTokenList = defineListReply(chainToken)
const bestTokenList = defineListReply(bestToken)
/** How often a person may copy values a minute. */
const REVEALS_PER_MINUTE = 30

interface TokensEdge {
  tokens: TokensService
  /** Values may be kept, sealed. */
  keepsValues: boolean
}

export function tokensRoutes(edge: TokensEdge): Routes {
  return (app) => {
    chainTokenRoutes(app, edge)
    bestTokenRoutes(app, edge)
    valueRoutes(app, edge)
  }
}

/** A reply that holds a value is kept for its key only where values are. */
const newValue = ({ keepsValues }: TokensEdge) => ({
  config: { idempotency: keepsValues ? ('json' as const) : ('off' as const) },
})

function chainTokenRoutes(app: HttpApp, edge: TokensEdge): void {
  const { tokens } = edge
  const tags = ['tokens']
  app.get(
    '/api/tokens',
    {
      schema: {
        tags,
        summary: "A chain's tokens, newest first",
        querystring: listTokensQuery,
        response: { 200: chainTokenList.schema, ...errorReplies(403, 404) },
      },
    },
    async (request, reply) => {
      const { chainId, ...query } = request.query
      const user = await requireUser(request)
      return chainTokenList.send(reply, await tokens.listByChain({ chainId, user, query }))
    },
  )

  app.post(
    '/api/tokens',
    {
      ...newValue(edge),
      schema: {
        tags,
        summary: 'Create a token for a chain',
        description: 'The reply holds its value.',
        body: createTokenRequest,
        response: { 201: createdChainToken, ...errorReplies(404) },
      },
    },
    async (request, reply) => {
      const created = await tokens.create({ fields: request.body, user: await requireUser(request) })
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
      tokens.update({ id: request.params.id, fields: request.body, user: await requireUser(request) }),
  )

  app.delete(
    '/api/tokens/:id',
    {
      schema: {
        tags,
        summary: 'End a token, for who created it or may edit its chain',
        params: idParams,
        response: { 204: noContent },
      },
    },
    async (request, reply) => {
      await tokens.delete({ id: request.params.id, user: await requireUser(request) })
      return reply.code(204).send()
    },
  )
}

function bestTokenRoutes(app: HttpApp, edge: TokensEdge): void {
  const { tokens } = edge
  const tags = ['tokens']
  app.get(
    '/api/best-tokens',
    {
      schema: {
        tags,
        summary: 'Your Best Chain tokens, newest first',
        querystring: listQuery,
        response: { 200: bestTokenList.schema, ...errorReplies(401) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return bestTokenList.send(reply, await tokens.listBest({ user, query: request.query }))
    },
  )

  app.post(
    '/api/best-tokens',
    {
      ...newValue(edge),
      schema: {
        tags,
        summary: 'Create a Best Chain token',
        description: 'The reply holds its value.',
        body: createBestTokenRequest,
        response: { 201: createdBestToken, ...errorReplies(404) },
      },
    },
    async (request, reply) => {
      const created = await tokens.createBest({ fields: request.body, user: await requireUser(request) })
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
      tokens.updateBest({ id: request.params.id, fields: request.body, user: await requireUser(request) }),
  )

  app.delete(
    '/api/api-tokens/:id',
    {
      schema: { tags, summary: 'End a Best Chain token', params: idParams, response: { 204: noContent } },
    },
    async (request, reply) => {
      await tokens.delete({ id: request.params.id, user: await requireUser(request), kind: 'best' })
      return reply.code(204).send()
    },
  )
}

function valueRoutes(app: HttpApp, edge: TokensEdge): void {
  const { tokens } = edge
  const limitReveals = app.rateLimit({
    max: REVEALS_PER_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: toActorKey,
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
      const token = await tokens.reveal({ id: request.params.id, user: await requireUser(request) })
      return reply.header('cache-control', 'no-store').send({ token })
    },
  )

  app.post(
    '/api/tokens/:id/rotate',
    {
      ...newValue(edge),
      schema: {
        tags: ['tokens'],
        summary: 'Give a token of whichever kind a new value, for who created it',
        description: 'The reply holds it. The value before works on for `overlapMinutes`.',
        params: idParams,
        body: rotateTokenRequest,
        response: {
          200: z.union([createdChainToken, createdBestToken, createdReadToken]),
          ...errorReplies(403),
        },
      },
    },
    async (request, reply) => {
      const { overlapMinutes = 0 } = request.body ?? {}
      const user = await requireUser(request)
      const rotated = await tokens.rotate({ id: request.params.id, user, overlapMinutes })
      return reply.header('cache-control', 'no-store').send(rotated)
    },
  )
}

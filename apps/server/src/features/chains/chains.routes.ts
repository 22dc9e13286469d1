import {
  chain,
  chainListItem,
  createChainRequest,
  idParams,
  type ListChainsQuery,
  listChainsByTagsQuery,
  listChainsQuery,
  slugParams,
  updateChainRequest,
} from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, HttpRequest, Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { ChainsDeps } from './chains-deps.ts'
import { createChain, deleteChain, duplicateChain, updateChain } from './operations/change-chain.ts'
import { chainListState, listChains } from './operations/list-chains.ts'
import { readChain, readChainBySlug } from './operations/read-chains.ts'

export function chainsRoutes(deps: ChainsDeps): Routes {
  return (app) => {
    listRoutes(app, deps)
    readRoutes(app, deps)
    writeRoutes(app, deps)
  }
}

function listRoutes(app: HttpApp, deps: ChainsDeps): void {
  const tags = ['chains']
  const description = '304 when `If-None-Match` names the list as it still is.'
  const list = {
    item: chainListItem,
    stateOf: async (call: HttpRequest) => chainListState(deps, await optionalUser(call)),
    read: async (call: HttpRequest & { query: ListChainsQuery }) =>
      listChains(deps, { viewer: await optionalUser(call), query: call.query }),
  }

  defineListRoute(app, '/api/chains', {
    ...list,
    tags,
    summary: 'The chains that the caller can see, last updated first',
    description: `${description} An admin’s list also names chains that only their owners see.`,
    querystring: listChainsQuery,
  })

  defineListRoute(app, '/api/chains/by-tags', {
    ...list,
    tags,
    summary: 'The chains with any of the tags, last updated first',
    description,
    querystring: listChainsByTagsQuery,
  })
}

function readRoutes(app: HttpApp, deps: ChainsDeps): void {
  app.get(
    '/api/chains/:id',
    {
      schema: {
        tags: ['chains'],
        summary: 'One chain with its steps',
        params: idParams,
        response: { 200: chain },
      },
    },
    async (request) => readChain(deps, { id: request.params.id, user: await optionalUser(request) }),
  )

  app.get(
    '/api/chains/by-slug/:slug',
    {
      schema: {
        tags: ['chains'],
        summary: 'One chain with its steps, by a slug that it has or had',
        params: slugParams,
        response: { 200: chain },
      },
    },
    async (request) => readChainBySlug(deps, { ...request.params, user: await optionalUser(request) }),
  )
}

function writeRoutes(app: HttpApp, deps: ChainsDeps): void {
  app.post(
    '/api/chains',
    {
      schema: {
        tags: ['chains'],
        summary: 'Create a chain',
        body: createChainRequest,
        response: { 201: chain },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return reply.code(201).send(await createChain(deps, { fields: request.body, user }))
    },
  )

  app.patch(
    '/api/chains/:id',
    {
      schema: {
        tags: ['chains'],
        summary: 'Save a chain',
        description: '409 with the current chain as details when the revision is stale.',
        params: idParams,
        body: updateChainRequest,
        response: { 200: chain },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      const { revision, ...fields } = request.body
      return updateChain(deps, { id: request.params.id, user, revision, fields })
    },
  )

  defineDeleteRoute(app, '/api/chains/:id', {
    tags: ['chains'],
    summary: 'Delete a chain, its steps and its history',
    params: idParams,
    remove: async (call) => deleteChain(deps, { id: call.params.id, user: await requireUser(call) }),
  })

  app.post(
    '/api/chains/:id/duplicate',
    {
      schema: {
        tags: ['chains'],
        summary: 'Make an own private copy of a chain',
        description: 'Links to prompts that the caller can’t see end; the texts of the steps stay.',
        params: idParams,
        response: { 201: chain },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return reply.code(201).send(await duplicateChain(deps, { id: request.params.id, user }))
    },
  )
}

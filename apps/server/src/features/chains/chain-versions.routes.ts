import {
  chain,
  chainVersion,
  chainVersionParams,
  idParams,
  listedChainVersion,
  listQuery,
  noContent,
  restoreChainRequest,
} from '@catenary/contracts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ChainVersionsService } from './chain-versions.service.ts'

const versionList = defineListReply(listedChainVersion)

const tags = ['chains']
const CHANGERS = 'For people who may change the chain.'

export function chainVersionsRoutes({ versions }: { versions: ChainVersionsService }): Routes {
  return (app) => {
    app.get(
      '/api/chains/:id/versions',
      {
        schema: {
          tags,
          summary: 'The versions of steps and settings, newest first',
          description: `${CHANGERS} One for each save that changed something; the oldest end at last, unless a label points to them.`,
          params: idParams,
          querystring: listQuery,
          response: { 200: versionList.schema },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        const { id } = request.params
        return versionList.send(reply, await versions.list({ id, user, query: request.query }))
      },
    )

    app.get(
      '/api/chains/:id/versions/:number',
      {
        schema: {
          tags,
          summary: 'One version with its steps',
          description: CHANGERS,
          params: chainVersionParams,
          response: { 200: chainVersion },
        },
      },
      async (request) => versions.find({ ...request.params, user: await requireUser(request) }),
    )

    app.post(
      '/api/chains/:id/versions/:number/restore',
      {
        schema: {
          tags,
          summary: "Save an older version's steps and settings as a new version",
          description: '409 with the current chain as details when the revision is stale.',
          params: chainVersionParams,
          body: restoreChainRequest,
          response: { 200: chain },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return versions.restore({ ...request.params, user, revision: request.body?.revision })
      },
    )

    app.delete(
      '/api/chains/:id/versions/:number',
      {
        schema: {
          tags,
          summary: 'Delete a version',
          description: `${CHANGERS} 409 for the current one, and for one that a label points to.`,
          params: chainVersionParams,
          response: { 204: noContent },
        },
      },
      async (request, reply) => {
        await versions.delete({ ...request.params, user: await requireUser(request) })
        return reply.code(204).send()
      },
    )
  }
}

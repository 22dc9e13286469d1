import { acceptChainsRequest, chainOffer, idParams, listQuery, noContent } from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ChainOffersService } from './chain-offers.service.ts'

export function chainOffersRoutes({ offers }: { offers: ChainOffersService }): Routes {
  return (app) => {
    defineListRoute(app, '/api/chain-offers', {
      tags: ['tokens'],
      summary: "Others' chains that your tokens for all chains reach, or could once you accept them",
      querystring: listQuery,
      item: chainOffer,
      errors: errorReplies(401),
      read: async (call) => offers.list({ user: await requireUser(call), query: call.query }),
    })

    app.post(
      '/api/chain-acceptances',
      {
        schema: {
          tags: ['tokens'],
          summary: "Accept others' chains: your tokens for all chains reach them from now on",
          description:
            'A chain that its owner changes later stays accepted. One that they stop sharing with you has to be accepted again.',
          body: acceptChainsRequest,
          response: { 204: noContent, ...errorReplies(404) },
        },
      },
      async (request, reply) => {
        await offers.accept({ ...request.body, user: await requireUser(request) })
        return reply.code(204).send()
      },
    )

    defineDeleteRoute(app, '/api/chain-acceptances/:id', {
      tags: ['tokens'],
      summary: 'Stop accepting a chain, by the id of the chain',
      params: idParams,
      remove: async (call) => offers.takeBack({ id: call.params.id, user: await requireUser(call) }),
    })
  }
}

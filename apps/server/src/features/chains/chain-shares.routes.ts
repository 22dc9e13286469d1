import { chainShare, idParams, saveSharesRequest } from '@catenary/contracts'
import * as z from 'zod'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ChainSharesService } from './chain-shares.service.ts'

const path = '/api/chains/:id/shares'
const shareList = z.array(chainShare)

export function chainSharesRoutes({ shares }: { shares: ChainSharesService }): Routes {
  return (app) => {
    app.get(
      path,
      {
        schema: {
          tags: ['chains'],
          summary: 'Whom the chain is shared with, by username',
          description: 'For people who may edit the chain. It counts while the chain’s level is `shared`.',
          params: idParams,
          response: { 200: shareList },
        },
      },
      async (request) => shares.list({ id: request.params.id, user: await requireUser(request) }),
    )

    app.put(
      path,
      {
        schema: {
          tags: ['chains'],
          summary: 'Set whom the chain is shared with',
          description: 'For the owner. The whole new list: who is not in it loses access at once.',
          params: idParams,
          body: saveSharesRequest,
          response: { 200: shareList },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return shares.save({ id: request.params.id, user, shares: request.body })
      },
    )
  }
}

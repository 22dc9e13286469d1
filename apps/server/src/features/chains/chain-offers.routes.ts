import { chainOffersApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ChainOffersService } from './chain-offers.service.ts'

export const chainOffersRoutes = ({ offers }: { offers: ChainOffersService }): Routes =>
  handlers(chainOffersApi, {
    'GET /api/chain-offers': (_, { query, user }) => offers.list({ user, query }),
    'POST /api/chain-acceptances': (_, { body, user }) => offers.accept({ ...body, user }),
    'DELETE /api/chain-acceptances/{id}': (_, { params, user }) => offers.takeBack({ ...params, user }),
  })

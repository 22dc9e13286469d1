import { promptOffersApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PromptOffersService } from './prompt-offers.service.ts'

export const promptOffersRoutes = ({ offers }: { offers: PromptOffersService }): Routes =>
  handlers(promptOffersApi, {
    'GET /api/prompt-offers': (_, { query, user }) => offers.list({ user, query }),
    'POST /api/prompt-acceptances': (_, { body, user }) => offers.accept({ ...body, user }),
    'DELETE /api/prompt-acceptances/{id}': (_, { params, user }) => offers.takeBack({ ...params, user }),
  })

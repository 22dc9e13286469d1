import { chainOwnersApi, handOversApi, promptOwnersApi, variableOwnersApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { acceptOwnership } from './accept-ownership.ts'
import { deleteEndedOffers, endOffer, listHandOvers, offerOwnership, readOwner } from './offer-ownership.ts'

export { deleteEndedOffers }

export const serveHandOvers = [
  handlers(handOversApi, { 'GET /api/hand-overs': listHandOvers }),
  handlers(promptOwnersApi, {
    'GET /api/prompts/{id}/owner': (ctx, { params, user }) =>
      readOwner(ctx, { kind: 'prompt', ...params, user }),
    'POST /api/prompts/{id}/owner': (ctx, { params, body, user }) =>
      offerOwnership(ctx, { kind: 'prompt', ...params, ...body, user }),
    'DELETE /api/prompts/{id}/owner': (ctx, { params, user }) =>
      endOffer(ctx, { kind: 'prompt', ...params, user }),
    'POST /api/prompts/{id}/owner/accept': (ctx, { params, user }) =>
      acceptOwnership(ctx, { kind: 'prompt', ...params, user }),
  }),
  handlers(chainOwnersApi, {
    'GET /api/chains/{id}/owner': (ctx, { params, user }) =>
      readOwner(ctx, { kind: 'chain', ...params, user }),
    'POST /api/chains/{id}/owner': (ctx, { params, body, user }) =>
      offerOwnership(ctx, { kind: 'chain', ...params, ...body, user }),
    'DELETE /api/chains/{id}/owner': (ctx, { params, user }) =>
      endOffer(ctx, { kind: 'chain', ...params, user }),
    'POST /api/chains/{id}/owner/accept': (ctx, { params, user }) =>
      acceptOwnership(ctx, { kind: 'chain', ...params, user }),
  }),
  handlers(variableOwnersApi, {
    'GET /api/variables/{id}/owner': (ctx, { params, user }) =>
      readOwner(ctx, { kind: 'variable', ...params, user }),
    'POST /api/variables/{id}/owner': (ctx, { params, body, user }) =>
      offerOwnership(ctx, { kind: 'variable', ...params, ...body, user }),
    'DELETE /api/variables/{id}/owner': (ctx, { params, user }) =>
      endOffer(ctx, { kind: 'variable', ...params, user }),
    'POST /api/variables/{id}/owner/accept': (ctx, { params, user }) =>
      acceptOwnership(ctx, { kind: 'variable', ...params, user }),
  }),
]

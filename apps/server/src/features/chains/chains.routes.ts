import { chainsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ChainsDeps } from './chains-deps.ts'
import { createChain, deleteChain, duplicateChain, updateChain } from './operations/change-chain.ts'
import { chainListState, listChains } from './operations/list-chains.ts'
import { readChain, readChainBySlug } from './operations/read-chains.ts'

export const chainsRoutes = (deps: ChainsDeps): Routes =>
  handlers(chainsApi, {
    'GET /api/chains': async (_, { query, user: viewer, isUnchanged }) =>
      isUnchanged(await chainListState(deps, viewer)) ? undefined : listChains(deps, { viewer, query }),
    'GET /api/chains/by-tags': async (_, { query, user: viewer, isUnchanged }) =>
      isUnchanged(await chainListState(deps, viewer)) ? undefined : listChains(deps, { viewer, query }),
    'GET /api/chains/{id}': (_, { params, user }) => readChain(deps, { ...params, user }),
    'GET /api/chains/by-slug/{slug}': (_, { params, user }) => readChainBySlug(deps, { ...params, user }),
    'POST /api/chains': (_, { body, user }) => createChain(deps, { fields: body, user }),
    'PATCH /api/chains/{id}': (_, { params, body: { revision, ...fields }, user }) =>
      updateChain(deps, { ...params, user, revision, fields }),
    'DELETE /api/chains/{id}': (_, { params, user }) => deleteChain(deps, { ...params, user }),
    'POST /api/chains/{id}/duplicate': (_, { params, user }) => duplicateChain(deps, { ...params, user }),
  })

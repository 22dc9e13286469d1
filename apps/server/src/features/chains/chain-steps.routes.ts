import { chainStepsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { ChainsDeps } from './chains-deps.ts'
import { addStep, deleteStep, duplicateStep, readStep, reorderSteps, updateStep } from './operations/steps.ts'

export const chainStepsRoutes = (deps: ChainsDeps): Routes =>
  handlers(chainStepsApi, {
    'GET /api/chains/{id}/steps/{stepId}': (_, { params, user }) => readStep(deps, { ...params, user }),
    'POST /api/chains/{id}/steps': (_, { params, body: { revision, note, ...fields }, user }) =>
      addStep(deps, { ...params, user, revision, note, fields }),
    'PATCH /api/chains/{id}/steps/{stepId}': (_, { params, body: { revision, note, ...fields }, user }) =>
      updateStep(deps, { ...params, user, revision, note, fields }),
    'DELETE /api/chains/{id}/steps/{stepId}': (_, { params, user }) => deleteStep(deps, { ...params, user }),
    'POST /api/chains/{id}/reorder-steps': (_, { params, body, user }) =>
      reorderSteps(deps, { ...params, user, ...body }),
    'POST /api/chains/{id}/steps/{stepId}/duplicate': (_, { params, user }) =>
      duplicateStep(deps, { ...params, user }),
  })

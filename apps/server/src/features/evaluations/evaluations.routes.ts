import { evaluationsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { EvaluationsDeps } from './evaluations-deps.ts'
import { findCell, findEvaluation, listEvaluations, listVersionTests } from './operations/read-evaluations.ts'
import { estimateEvaluation, resumeEvaluation, startEvaluation } from './operations/start-evaluation.ts'
import { deleteEvaluation, stopEvaluation } from './operations/stop-evaluation.ts'

export const evaluationsRoutes = (deps: EvaluationsDeps): Routes =>
  handlers(evaluationsApi, {
    'POST /api/evaluations/estimate': (_, { body: request, user }) =>
      estimateEvaluation(deps, { user, request }),
    'POST /api/evaluations': (_, { body: { fills = [], ...request }, user }) =>
      startEvaluation(deps, { user, request, allowed: { shown: fills } }),
    'GET /api/evaluations': (_, { query, user }) => listEvaluations(deps, { user, query }),
    'GET /api/evaluations/versions': (_, { query, user }) => listVersionTests(deps, { user, query }),
    'GET /api/evaluations/{id}': (_, { params, user }) => findEvaluation(deps, { ...params, user }),
    'GET /api/evaluations/{id}/cells/{case}/{target}': (_, { params, user }) =>
      findCell(deps, { id: params.id, user, casePosition: params.case, targetPosition: params.target }),
    'POST /api/evaluations/{id}/stop': (_, { params, user }) => stopEvaluation(deps, { ...params, user }),
    'POST /api/evaluations/{id}/resume': (_, { params, body, user }) =>
      resumeEvaluation(deps, { ...params, user, ceilingUsd: body?.ceilingUsd }),
    'DELETE /api/evaluations/{id}': (_, { params, user }) => deleteEvaluation(deps, { ...params, user }),
  })

import { evaluationsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import {
  deleteEvaluation,
  estimateEvaluation,
  resumeEvaluation,
  startEvaluation,
  stopEvaluation,
} from './change-evaluations.ts'
import { findCell, findEvaluation, listEvaluations, listVersionTests } from './read-evaluations.ts'

export { startEvaluation } from './change-evaluations.ts'
export { workEvaluations } from './drive-evaluation.ts'
export { findEvaluation } from './read-evaluations.ts'
export { releaseGate } from './release-gate.ts'

export const serveEvaluations = handlers(evaluationsApi, {
  'POST /api/evaluations/estimate': (ctx, { body: request, user }) =>
    estimateEvaluation(ctx, { user, request }),
  'POST /api/evaluations': (ctx, { body: { fills = [], ...request }, user }) =>
    startEvaluation(ctx, { user, request, allowed: { shown: fills } }),
  'GET /api/evaluations': listEvaluations,
  'GET /api/evaluations/versions': listVersionTests,
  'GET /api/evaluations/{id}': (ctx, { params, user }) => findEvaluation(ctx, { ...params, user }),
  'GET /api/evaluations/{id}/cells/{case}/{target}': (ctx, { params, user }) =>
    findCell(ctx, { id: params.id, user, casePosition: params.case, targetPosition: params.target }),
  'POST /api/evaluations/{id}/stop': (ctx, { params, user }) => stopEvaluation(ctx, { ...params, user }),
  'POST /api/evaluations/{id}/resume': (ctx, { params, body, user }) =>
    resumeEvaluation(ctx, { ...params, user, ceilingUsd: body?.ceilingUsd }),
  'DELETE /api/evaluations/{id}': (ctx, { params, user }) => deleteEvaluation(ctx, { ...params, user }),
})

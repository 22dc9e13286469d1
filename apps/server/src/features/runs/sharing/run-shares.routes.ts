import { chainRunSharesApi, promptRunSharesApi, runSharesApi } from '@catenary/contracts'
import { handlers } from '../../../platform/http/endpoints.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import type { RunSharesService } from './run-shares.service.ts'

export function runSharesRoutes({ runShares: shares }: { runShares: RunSharesService }): Routes[] {
  return [
    handlers(runSharesApi, {
      'PUT /api/executions/{id}/share': (_, { params, user }) => shares.shareRun({ ...params, user }),
      'DELETE /api/executions/{id}/share': (_, { params, user }) => shares.unshareRun({ ...params, user }),
    }),
    handlers(chainRunSharesApi, {
      'GET /api/chains/{id}/run-share': (_, { params, user }) =>
        shares.show({ record: { kind: 'chain', ...params }, user }),
      'PUT /api/chains/{id}/run-share': (_, { params, body, user }) =>
        shares.save({ record: { kind: 'chain', ...params }, user, ...body }),
      'DELETE /api/chains/{id}/run-share': (_, { params, user }) =>
        shares.delete({ record: { kind: 'chain', ...params }, user }),
    }),
    handlers(promptRunSharesApi, {
      'GET /api/prompts/{id}/run-share': (_, { params, user }) =>
        shares.show({ record: { kind: 'prompt', ...params }, user }),
      'PUT /api/prompts/{id}/run-share': (_, { params, body, user }) =>
        shares.save({ record: { kind: 'prompt', ...params }, user, ...body }),
      'DELETE /api/prompts/{id}/run-share': (_, { params, user }) =>
        shares.delete({ record: { kind: 'prompt', ...params }, user }),
    }),
  ]
}

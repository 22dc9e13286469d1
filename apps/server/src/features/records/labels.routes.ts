import { chainLabelsApi, promptLabelsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { countDependants, listDependants } from './operations/find-dependants.ts'
import { moveLabel, undoMove } from './operations/move-label.ts'
import { listLabelMoves, listVersionLabels, previewMove } from './operations/read-labels.ts'
import type { RecordsDeps } from './records-deps.ts'

export const promptLabelsRoutes = (deps: RecordsDeps): Routes =>
  handlers(promptLabelsApi, {
    'GET /api/prompts/{id}/labels': (_, { params, user }) =>
      listVersionLabels(deps, { kind: 'prompt', ...params, user }),
    'PUT /api/prompts/{id}/labels/{label}': (_, { params, body, user }) =>
      moveLabel(deps, { kind: 'prompt', ...params, ...body, user }),
    'DELETE /api/prompts/{id}/labels/{label}': (_, { params, query, user }) =>
      moveLabel(deps, { kind: 'prompt', ...params, ...query, version: null, override: false, user }),
    'GET /api/prompts/{id}/labels/{label}/gate': (_, { params, query, user }) =>
      previewMove(deps, { kind: 'prompt', ...params, ...query, user }),
    'GET /api/prompts/{id}/labels/{label}/dependants': (_, { params, user }) =>
      listDependants(deps, { kind: 'prompt', ...params, user }),
    'GET /api/prompts/{id}/dependants': (_, { params, user }) =>
      countDependants(deps, { kind: 'prompt', ...params, user }),
    'GET /api/prompts/{id}/label-moves': (_, { params, query, user }) =>
      listLabelMoves(deps, { kind: 'prompt', ...params, user, query }),
    'POST /api/prompts/{id}/label-moves/{moveId}/undo': (_, { params, body, user }) =>
      undoMove(deps, { kind: 'prompt', ...params, reason: '', override: false, ...body, user }),
  })

export const chainLabelsRoutes = (deps: RecordsDeps): Routes =>
  handlers(chainLabelsApi, {
    'GET /api/chains/{id}/labels': (_, { params, user }) =>
      listVersionLabels(deps, { kind: 'chain', ...params, user }),
    'PUT /api/chains/{id}/labels/{label}': (_, { params, body, user }) =>
      moveLabel(deps, { kind: 'chain', ...params, ...body, user }),
    'DELETE /api/chains/{id}/labels/{label}': (_, { params, query, user }) =>
      moveLabel(deps, { kind: 'chain', ...params, ...query, version: null, override: false, user }),
    'GET /api/chains/{id}/labels/{label}/gate': (_, { params, query, user }) =>
      previewMove(deps, { kind: 'chain', ...params, ...query, user }),
    'GET /api/chains/{id}/labels/{label}/dependants': (_, { params, user }) =>
      listDependants(deps, { kind: 'chain', ...params, user }),
    'GET /api/chains/{id}/dependants': (_, { params, user }) =>
      countDependants(deps, { kind: 'chain', ...params, user }),
    'GET /api/chains/{id}/label-moves': (_, { params, query, user }) =>
      listLabelMoves(deps, { kind: 'chain', ...params, user, query }),
    'POST /api/chains/{id}/label-moves/{moveId}/undo': (_, { params, body, user }) =>
      undoMove(deps, { kind: 'chain', ...params, reason: '', override: false, ...body, user }),
  })

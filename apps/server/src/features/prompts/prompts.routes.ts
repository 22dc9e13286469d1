import { promptsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import {
  createPrompt,
  deletePrompt,
  duplicatePrompt,
  savePrompt,
  sharePrompt,
  togglePrompt,
} from './operations/change-prompt.ts'
import { listPrompts, promptListState } from './operations/list-prompts.ts'
import { readPrompt, readPromptBySlug } from './operations/read-prompts.ts'
import type { PromptsDeps } from './prompts-deps.ts'

export const promptsRoutes = (deps: PromptsDeps): Routes =>
  handlers(promptsApi, {
    'GET /api/prompts': async (_, { query, user: viewer, isUnchanged }) =>
      isUnchanged(await promptListState(deps, viewer)) ? undefined : listPrompts(deps, { viewer, query }),
    'GET /api/prompts/{id}': (_, { params, user }) => readPrompt(deps, { ...params, user }),
    'GET /api/prompts/by-slug/{slug}': (_, { params, user }) => readPromptBySlug(deps, { ...params, user }),
    'POST /api/prompts': (_, { body: { revision: _unread, ...fields }, user }) =>
      createPrompt(deps, { fields, user }),
    'PUT /api/prompts/{id}': (_, { params, body: { revision, ...fields }, user }) =>
      savePrompt(deps, { ...params, user, revision, fields }),
    'PATCH /api/prompts/{id}/share': (_, { params, body, user }) =>
      sharePrompt(deps, { ...params, user, isPublic: body.sharedLevel === 'public' }),
    'PATCH /api/prompts/{id}/toggle': (_, { params, body, user }) =>
      togglePrompt(deps, { ...params, user, isActive: body?.isActive }),
    'DELETE /api/prompts/{id}': (_, { params, user }) => deletePrompt(deps, { ...params, user }),
    'POST /api/prompts/{id}/duplicate': (_, { params, user }) => duplicatePrompt(deps, { ...params, user }),
  })

import { promptAliasesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PromptAliases } from './prompt-aliases.service.ts'

export const promptAliasesRoutes = ({ promptAliases }: { promptAliases: PromptAliases }): Routes =>
  handlers(promptAliasesApi, {
    'GET /api/prompts/{id}/aliases': (_, { params, user }) => promptAliases.list({ ...params, user }),
    'PUT /api/prompts/{id}/aliases/{alias}': (_, { params, user }) => promptAliases.give({ ...params, user }),
    'DELETE /api/prompts/{id}/aliases/{alias}': (_, { params, user }) =>
      promptAliases.take({ ...params, user }),
  })

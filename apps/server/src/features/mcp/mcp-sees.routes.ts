import { mcpSeesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { McpSees } from './mcp-sees.service.ts'

export const mcpSeesRoutes = ({ sees }: { sees: McpSees }): Routes =>
  handlers(mcpSeesApi, {
    'GET /api/mcp-tokens/{id}/sees': (_, { params, user }) => sees({ ...params, user }),
  })

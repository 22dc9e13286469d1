import { tagsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { TagsService } from './tags.service.ts'

export const tagsRoutes = ({ tags }: { tags: TagsService }): Routes =>
  handlers(tagsApi, {
    'GET /api/tags': (_, { query }) => tags.list({ kind: 'prompt', query }),
    'GET /api/tags/search': (_, { query }) => tags.search({ kind: 'prompt', ...query }),
    'POST /api/tags': (_, { body, user }) => tags.create({ kind: 'prompt', ...body, user }),
    'GET /api/variables/tags': (_, { query }) => tags.list({ kind: 'variable', query }),
    'GET /api/variables/tags/search': (_, { query }) => tags.search({ kind: 'variable', ...query }),
    'POST /api/variables/tags': (_, { body, user }) => tags.create({ kind: 'variable', ...body, user }),
    'GET /api/chain-tags': (_, { query }) => tags.list({ kind: 'chain', query }),
    'GET /api/chain-tags/search': (_, { query }) => tags.search({ kind: 'chain', ...query }),
    'POST /api/chain-tags': (_, { body, user }) => tags.create({ kind: 'chain', ...body, user }),
    'GET /api/chains/tags': (_, { query }) => tags.list({ kind: 'chain', query }),
  })

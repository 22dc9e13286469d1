import { taxonomyApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { TaxonomyService } from './taxonomy.service.ts'

/** How admins keep the shared categories and tags in order. */
export const taxonomyRoutes = ({ taxonomy }: { taxonomy: TaxonomyService }): Routes =>
  handlers(taxonomyApi, {
    'GET /api/admin/labels/{kind}': (_, { params, query }) => taxonomy.list({ ...params, query }),
    'PATCH /api/admin/labels/{kind}/{id}': (_, { params, body, user: actor }) =>
      taxonomy.rename({ ...params, ...body, actor }),
    'DELETE /api/admin/labels/{kind}/{id}': (_, { params, user: actor }) =>
      taxonomy.delete({ ...params, actor }),
    'POST /api/admin/labels/{kind}/{id}/merge': (_, { params, body, user: actor }) =>
      taxonomy.merge({ ...params, ...body, actor }),
  })

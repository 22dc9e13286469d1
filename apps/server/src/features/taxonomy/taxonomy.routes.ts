import {
  listQuery,
  mergeEntryRequest,
  renameEntryRequest,
  taxonomyEntry,
  taxonomyKindParams,
  taxonomyParams,
} from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { adminOnly } from '../../platform/http/security/admin-only.ts'
import { requireAdmin } from '../../platform/http/session.ts'
import type { TaxonomyService } from './taxonomy.service.ts'

const tags = ['admin']
const path = '/api/admin/labels/:kind'
const refusals = errorReplies(401, 403, 404)

/** How admins keep the shared categories and tags in order. */
export function taxonomyRoutes({ taxonomy }: { taxonomy: TaxonomyService }): Routes {
  return (app) => {
    defineListRoute(app, path, {
      tags,
      summary: 'The categories, or the tags of a kind, oldest first',
      params: taxonomyKindParams,
      querystring: listQuery,
      item: taxonomyEntry,
      errors: errorReplies(401, 403),
      isAdminOnly: true,
      read: ({ params: { kind }, query }) => taxonomy.list({ kind, query }),
    })

    app.patch(
      `${path}/:id`,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Rename a category or tag',
          description: '409 with the other one as details when the name is taken without regard to case.',
          params: taxonomyParams,
          body: renameEntryRequest,
          response: { 200: taxonomyEntry, ...refusals, ...errorReplies(409) },
        },
      },
      async (request) =>
        taxonomy.rename({ ...request.params, ...request.body, actor: await requireAdmin(request) }),
    )

    app.post(
      `${path}/:id/merge`,
      {
        ...adminOnly,
        schema: {
          tags,
          summary: 'Merge a category or tag into another',
          description: 'What has the one has the other afterwards, and the one is gone.',
          params: taxonomyParams,
          body: mergeEntryRequest,
          response: { 200: taxonomyEntry, ...refusals },
        },
      },
      async (request) =>
        taxonomy.merge({ ...request.params, ...request.body, actor: await requireAdmin(request) }),
    )

    defineDeleteRoute(app, `${path}/:id`, {
      tags,
      summary: 'Delete a category or tag',
      description: 'A tag goes from whatever has it. 409 for a category that has prompts.',
      params: taxonomyParams,
      errors: { ...refusals, ...errorReplies(409) },
      isAdminOnly: true,
      remove: async (call) => taxonomy.delete({ ...call.params, actor: await requireAdmin(call) }),
    })
  }
}

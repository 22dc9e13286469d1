import { category, createCategoryRequest, listQuery } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { CategoriesService } from './categories.service.ts'

export function categoriesRoutes({ categories }: { categories: CategoriesService }): Routes {
  return (app) => {
    defineListRoute(app, '/api/categories', {
      tags: ['categories'],
      summary: 'The categories with counts, oldest first',
      querystring: listQuery,
      item: category,
      read: async (call) => categories.list({ viewer: await optionalUser(call), query: call.query }),
    })

    app.post(
      '/api/categories',
      {
        schema: {
          tags: ['categories'],
          summary: 'Create a category',
          description:
            '409 with the existing category as details when the name is taken without regard to case.',
          body: createCategoryRequest,
          response: { 201: category, ...errorReplies(409) },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        return reply.code(201).send(await categories.create({ name: request.body.name, user }))
      },
    )
  }
}

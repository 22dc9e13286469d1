import { category, createCategoryRequest, listQuery } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListReply } from '../../platform/http/list-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { CategoriesService } from './categories.service.ts'

const categoryList = defineListReply(category)

export function categoriesRoutes({ categories }: { categories: CategoriesService }): Routes {
  return (app) => {
    app.get(
      '/api/categories',
      {
        schema: {
          tags: ['categories'],
          summary: 'The categories with counts, oldest first',
          querystring: listQuery,
          response: { 200: categoryList.schema },
        },
      },
      async (request, reply) => {
        const viewer = await optionalUser(request)
        return categoryList.send(reply, await categories.list({ viewer, query: request.query }))
      },
    )

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

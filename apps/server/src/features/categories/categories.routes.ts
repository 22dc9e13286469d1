import { category, createCategoryRequest } from '@catenary/contracts'
import * as z from 'zod'
import { errorReplies } from '../../platform/http/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { CategoriesService } from './categories.service.ts'

export function categoriesRoutes({ categories }: { categories: CategoriesService }): Routes {
  return (app) => {
    app.get(
      '/api/categories',
      {
        schema: {
          tags: ['categories'],
          summary: 'All categories with counts',
          response: { 200: z.array(category) },
        },
      },
      async (request) => categories.list(await optionalUser(request)),
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

import { categoriesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { CategoriesService } from './categories.service.ts'

export const categoriesRoutes = ({ categories }: { categories: CategoriesService }): Routes =>
  handlers(categoriesApi, {
    'GET /api/categories': (_, { query, user: viewer }) => categories.list({ viewer, query }),
    'POST /api/categories': (_, { body: { name }, user }) => categories.create({ name, user }),
  })

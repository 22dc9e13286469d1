import type { Platform } from '../../platform/platform.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import { categoriesRoutes } from './categories.routes.ts'
import { createCategoriesService } from './categories.service.ts'

export type CategoriesService = Awaited<ReturnType<typeof createCategories>>['service']

interface Features {
  prompts: Pick<PromptsService, 'countByCategory'>
}

/** The categories of prompts. */
export async function createCategories({ db }: Pick<Platform, 'db'>, { prompts }: Features) {
  const categories = createCategoriesService({ db, prompts })
  await categories.createInitial()
  return { service: { idOf: categories.idOf }, routes: [categoriesRoutes({ categories })] }
}

import * as z from 'zod'
import { entryName, id } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'

export const INITIAL_CATEGORIES = ['General', 'Writing', 'Coding', 'Analysis'] as const

export const category = z.object({
  id,
  name: z.string().describe('Unique: no two names look the same.'),
  count: z.int().describe('Number of its prompts that the caller can see.'),
})
export type Category = z.infer<typeof category>

const createCategoryRequest = z.strictObject({ name: entryName })

export const categoriesApi = defineApi('categories', {
  'GET /api/categories': {
    who: 'guest',
    summary: 'The categories with counts, oldest first',
    query: listQuery,
    list: category,
  },
  'POST /api/categories': {
    who: 'user',
    summary: 'Create a category',
    description: '409 with the existing category as details if the name is taken, ignoring case.',
    body: createCategoryRequest,
    created: category,
    errors: [409],
    activity: { kind: 'category.created', object: 'category' },
  },
})

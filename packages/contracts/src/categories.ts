import * as z from 'zod'
import { entryName, id } from './common.ts'

/** Categories of a fresh instance (D17). */
export const INITIAL_CATEGORIES = ['General', 'Writing', 'Coding', 'Analysis'] as const

export const category = z.object({
  id,
  name: z.string().describe('Unique: no two look the same.'),
  count: z.int().describe('Prompts in it that the caller can see.'),
})
export type Category = z.infer<typeof category>

/** POST /api/categories */
export const createCategoryRequest = z.strictObject({ name: entryName })

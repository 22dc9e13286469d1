import * as z from 'zod'
import { entryName, id, idParams } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'

/** The lists whose filters can be kept under a name. */
export const VIEW_PAGES = ['prompts', 'chains'] as const
export type ViewPage = (typeof VIEW_PAGES)[number]

const VIEW_QUERY_MAX = 2_000

const fields = {
  name: entryName.describe('Trimmed; unique among the caller’s views of the page: no two look the same.'),
  page: z.enum(VIEW_PAGES).describe('The page whose list it filters.'),
  query: z
    .string()
    .max(VIEW_QUERY_MAX, `The query must be at most ${VIEW_QUERY_MAX.toLocaleString('en')} characters`)
    .regex(/^[^\s#\p{Cc}]*$/u, 'Must be a URL query, such as search=welcome&sort=title')
    .describe(
      'The page’s query in the address, without the question mark, as in `search=welcome&tags=3&sort=title`.',
    ),
}

export const view = z.object({ id, ...fields })
export type View = z.infer<typeof view>

const createViewRequest = z.strictObject(fields)
export type CreateViewRequest = z.infer<typeof createViewRequest>

export const viewsApi = defineApi('views', {
  'GET /api/views': {
    who: 'user',
    summary: 'Your saved views, oldest first',
    query: listQuery,
    list: view,
  },
  'POST /api/views': {
    who: 'user',
    summary: 'Save the filters of a page under a name',
    description: 'Only you see it. 409 with the existing view as details if the name is taken on that page.',
    body: createViewRequest,
    created: view,
    errors: [409],
    activity: { kind: 'view.created', object: 'view' },
  },
  'DELETE /api/views/{id}': {
    who: 'user',
    summary: 'Delete a saved view',
    params: idParams,
    activity: { kind: 'view.deleted', object: 'view' },
  },
})

import * as z from 'zod'
import { entryName, id, idParam } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'
import { TAG_KINDS } from './tags.ts'

export const TAXONOMY_KINDS = ['category', ...TAG_KINDS] as const
export type TaxonomyKind = (typeof TAXONOMY_KINDS)[number]

const kind = z.enum(TAXONOMY_KINDS).describe('`category`, or the kind of record that the tags belong to.')

const taxonomyParams = z.strictObject({ kind, id: idParam.describe('Id of the category or tag.') })

export const taxonomyEntry = z.object({
  id,
  name: z.string().describe('Unique per kind: no two look the same.'),
  uses: z
    .int()
    .describe('How many prompts, variables or chains have it, including those that the caller can’t see.'),
  sameAs: z
    .object({ id, name: z.string().describe('Its name.') })
    .optional()
    .describe(
      'An older one whose name looks the same. Both are from before names were compared this way; the name finds the older one.',
    ),
})
export type TaxonomyEntry = z.infer<typeof taxonomyEntry>

export const renameEntryRequest = z.strictObject({ name: entryName })

export const taxonomyApi = defineApi('admin', {
  'GET /api/admin/labels/{kind}': {
    who: 'admin',
    summary: 'The categories, or the tags of a kind, oldest first',
    params: z.strictObject({ kind }),
    query: listQuery,
    list: taxonomyEntry,
    errors: [401, 403],
  },
  'PATCH /api/admin/labels/{kind}/{id}': {
    who: 'admin',
    summary: 'Rename a category or tag',
    description: '409 with the other one as details if the name is taken, ignoring case.',
    params: taxonomyParams,
    body: renameEntryRequest,
    reply: taxonomyEntry,
    errors: [401, 403, 404, 409],
    activity: { kind: ['category.renamed', 'tag.renamed'], object: ['category', 'tag'] },
  },
  'DELETE /api/admin/labels/{kind}/{id}': {
    who: 'admin',
    summary: 'Delete a category or tag',
    description: 'A tag is removed from everything that has it. 409 for a category that has prompts.',
    params: taxonomyParams,
    errors: [401, 403, 404, 409],
    activity: { kind: ['category.deleted', 'tag.deleted'], object: ['category', 'tag'] },
  },
  'POST /api/admin/labels/{kind}/{id}/merge': {
    who: 'admin',
    summary: 'Merge a category or tag into another',
    description: 'Everything in the first gets the second; the first is deleted.',
    params: taxonomyParams,
    body: z.strictObject({ into: id.describe('Id of the category or tag that replaces it.') }),
    reply: taxonomyEntry,
    errors: [401, 403, 404],
    activity: { kind: ['category.merged', 'tag.merged'], object: ['category', 'tag'] },
  },
})

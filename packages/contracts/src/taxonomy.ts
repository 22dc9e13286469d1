import * as z from 'zod'
import { entryName, id, idParam } from './common.ts'
import { TAG_KINDS } from './tags.ts'

/** What sorts prompts, variables and chains. */
export const TAXONOMY_KINDS = ['category', ...TAG_KINDS] as const
export type TaxonomyKind = (typeof TAXONOMY_KINDS)[number]

const kind = z.enum(TAXONOMY_KINDS).describe('`category`, or the kind of record that the tags belong to.')

/** GET /api/admin/labels/{kind} */
export const taxonomyKindParams = z.strictObject({ kind })
export const taxonomyParams = z.strictObject({ kind, id: idParam.describe('Id of the category or tag.') })

/** A category or tag as admins see it. */
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
      'An older one whose name looks the same: both are from before names were compared so, and the older is found by the name.',
    ),
})
export type TaxonomyEntry = z.infer<typeof taxonomyEntry>

/** PATCH /api/admin/labels/{kind}/{id}; 409 with the other one as `details` when the name is taken. */
export const renameEntryRequest = z.strictObject({ name: entryName })

/** POST /api/admin/labels/{kind}/{id}/merge */
export const mergeEntryRequest = z.strictObject({
  into: id.describe('Id of the category or tag that replaces it.'),
})

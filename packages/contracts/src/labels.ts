import * as z from 'zod'
import { id, idParam, label } from './common.ts'
import { TAG_KINDS } from './tags.ts'

/** What prompts, variables and chains are sorted by. */
export const LABEL_KINDS = ['category', ...TAG_KINDS] as const
export type LabelKind = (typeof LABEL_KINDS)[number]

const kind = z.enum(LABEL_KINDS).describe('`category`, or of what the tags are.')

/** GET /api/admin/labels/{kind} */
export const labelKindParams = z.strictObject({ kind })
export const labelParams = z.strictObject({ kind, id: idParam.describe('Of the category or tag.') })

/** A category or tag as admins see it. */
export const managedLabel = z.object({
  id,
  name: z.string().describe('Unique among those of its kind, without regard to case.'),
  uses: z.int().describe('How many prompts, variables or chains have it, whoever can see them.'),
})
export type ManagedLabel = z.infer<typeof managedLabel>

/** PATCH /api/admin/labels/{kind}/{id}; 409 with the other one as `details` when the name is taken. */
export const renameLabelRequest = z.strictObject({ name: label })

/** POST /api/admin/labels/{kind}/{id}/merge */
export const mergeLabelRequest = z.strictObject({ into: id.describe('What has it has this one afterwards.') })

import * as z from 'zod'
import { entryName, id, idParam } from './common.ts'

export const TAG_KINDS = ['prompt', 'variable', 'chain'] as const
export type TagKind = (typeof TAG_KINDS)[number]

/** The collection of each kind of tag. */
export const TAG_PATHS: Record<TagKind, string> = {
  prompt: '/api/tags',
  variable: '/api/variables/tags',
  chain: '/api/chain-tags',
}

export const tag = z.object({
  id,
  name: z.string().describe('Unique in its collection: no two look the same.'),
})
export type Tag = z.infer<typeof tag>

/** POST to a tag collection; 409 with the existing tag as `details` when the name is taken. */
export const createTagRequest = z.strictObject({ name: entryName })

/** GET {collection}/search: the tag of that name, without regard to case. */
export const searchTagQuery = z.strictObject({ name: entryName })

/** `{}` when there is no such tag: a client that looks for `id` finds none, and nothing fails. */
export const searchTagReply = tag.partial()
export type SearchTagReply = z.infer<typeof searchTagReply>

/** GET /api/variables/by-tags and /api/chains/by-tags: `tagIds` once or repeated; any of them matches (D19), none means all. */
export const byTagsQuery = z.strictObject({
  tagIds: z
    .union([idParam.transform((tagId) => [tagId]), z.array(idParam).max(200)])
    .optional()
    .describe('Repeated.'),
})

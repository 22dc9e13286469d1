import * as z from 'zod'
import { id } from '../common.ts'

/** Records that one call changes. */
export const BULK_MAX = 200

const ids = z
  .array(id)
  .min(1, 'Choose at least one')
  .max(BULK_MAX, `At most ${BULK_MAX} at once`)
  .describe('The records; one listed twice is changed once.')

const tagged = z.strictObject({
  ids,
  action: z.enum(['tag', 'untag']).describe('Add the tag to each, or remove it.'),
  tagId: id.describe('The tag, of the kind of the records.'),
})
const moved = z.strictObject({
  ids,
  action: z.literal('move').describe('Move each to the category.'),
  categoryId: id.describe('Id from GET /api/categories.'),
})
const switched = z.strictObject({
  ids,
  action: z.enum(['activate', 'deactivate', 'delete']).describe('What to do with each.'),
})
const deleted = z.strictObject({
  ids,
  action: z.literal('delete').describe('Delete each with its versions and its history.'),
})

export const bulkPromptsRequest = z.discriminatedUnion('action', [tagged, moved, switched])
export type BulkPromptsRequest = z.infer<typeof bulkPromptsRequest>

export const bulkChainsRequest = z.discriminatedUnion('action', [tagged, deleted])
export type BulkChainsRequest = z.infer<typeof bulkChainsRequest>

export const bulkReply = z.object({
  done: z.array(id).describe('Records that are now as requested, in the order of the call.'),
  failed: z
    .array(z.object({ id, error: z.string().describe('Why, as one sentence to show to a person.') }))
    .describe('Records that were not changed.'),
})
export type BulkReply = z.infer<typeof bulkReply>

/** What both calls have in common. */
export const bulkEndpoint = {
  who: 'user',
  description:
    'Each record is checked against the caller’s rights and saved in its own transaction: those that fail stay as they were, and ' +
    'the others are still changed. Each counts as one change towards the limit per minute. 400 if ' +
    'there is no such tag or category.',
  reply: bulkReply,
  writes: 'many',
} as const

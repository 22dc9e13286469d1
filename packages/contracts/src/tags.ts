import * as z from 'zod'
import { entryName, id, idParam } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'

export const TAG_KINDS = ['prompt', 'variable', 'chain'] as const
export type TagKind = (typeof TAG_KINDS)[number]

export const tag = z.object({
  id,
  name: z.string().describe('Unique in its collection: no two look the same.'),
})
export type Tag = z.infer<typeof tag>

const createTagRequest = z.strictObject({ name: entryName })

/** `{}` when there is no such tag: a client that looks for `id` finds none, and nothing fails. */
export const searchTagReply = tag.partial()
export type SearchTagReply = z.infer<typeof searchTagReply>

/** `tagIds` once or repeated; any of them matches (D19), none means all. */
export const byTagsQuery = z.strictObject({
  tagIds: z
    .union([idParam.transform((tagId) => [tagId]), z.array(idParam).max(200)])
    .optional()
    .describe('Repeated.'),
})

const tagList = { who: 'guest', query: listQuery, list: tag } as const
const foundTag = {
  who: 'guest',
  description: 'An empty object if there is no such tag.',
  query: z.strictObject({ name: entryName }),
  reply: searchTagReply,
} as const
const createdTag = {
  who: 'user',
  description: '409 with the existing tag as details if the name is taken, ignoring case.',
  body: createTagRequest,
  created: tag,
} as const

export const tagsApi = defineApi('tags', {
  'GET /api/tags': { ...tagList, summary: 'The prompt tags, by name' },
  'GET /api/tags/search': {
    ...foundTag,
    summary: 'Find a prompt tag by its name, ignoring case',
  },
  'POST /api/tags': {
    ...createdTag,
    summary: 'Create a prompt tag',
    activity: { kind: 'tag.created', object: 'tag' },
  },
  'GET /api/variables/tags': { ...tagList, summary: 'The variable tags, by name' },
  'GET /api/variables/tags/search': {
    ...foundTag,
    summary: 'Find a variable tag by its name, ignoring case',
  },
  'POST /api/variables/tags': {
    ...createdTag,
    summary: 'Create a variable tag',
    activity: { kind: 'tag.created', object: 'tag' },
  },
  'GET /api/chain-tags': { ...tagList, summary: 'The chain tags, by name' },
  'GET /api/chain-tags/search': {
    ...foundTag,
    summary: 'Find a chain tag by its name, ignoring case',
  },
  'POST /api/chain-tags': {
    ...createdTag,
    summary: 'Create a chain tag',
    activity: { kind: 'tag.created', object: 'tag' },
  },
  // The chain screens refetch the list here, too.
  'GET /api/chains/tags': { ...tagList, summary: 'The chain tags, by name' },
})

import * as z from 'zod'
import { id, idList, idParam, idParams, revision, rights, timestamp } from './common.ts'
import { defineApi } from './endpoint.ts'
import { othersNames } from './fills.ts'
import { clippedContent, listQuery, searchParam, type Whole } from './lists.ts'
import { isVisible, nameText } from './names.ts'
import { bulkEndpoint, bulkPromptsRequest } from './records/bulk.ts'
import { labelOfRecord } from './records/labels.ts'
import { ownership } from './records/shares.ts'
import {
  numberOfVersion,
  restoreVersionRequest,
  savedVersion,
  versionNote,
  versionNoteRequest,
  versionParams,
} from './records/versions.ts'
import { promptSettingFields, promptSettings } from './settings/model-settings.ts'
import { chosenSlug, slug, slugParams } from './slugs.ts'
import { tag } from './tags.ts'

export const PROMPT_TITLE_MAX = 200
export const PROMPT_CONTENT_MAX = 1_000_000
const PROMPT_TAGS_MAX = 50

export const prompt = z.object({
  id,
  slug,
  title: z.string().describe('Title shown in lists.'),
  content: z.string().describe('The template: text with $<name> references.'),
  category: z.string().describe("The category's name."),
  categoryId: id,
  isActive: z.boolean().describe('false: it is kept but can’t be run.'),
  isPublic: z.boolean().describe('Everyone sees it.'),
  isShared: z.boolean().describe('It is shared with specific people or groups.'),
  tags: z.array(tag).describe('Sorted by name.'),
  owner: z.string().describe("The owner's username."),
  version: z.int().describe('Number of the current version of title, content and settings (D15).'),
  labels: z.array(labelOfRecord).optional().describe('Sorted by name; absent in lists.'),
  ...promptSettings,
  othersNames,
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
  ...rights,
})
export type Prompt = Whole<z.infer<typeof prompt>>

export const listedPrompt = prompt.extend(clippedContent)
export type ListedPrompt = z.infer<typeof listedPrompt>

/** An absent optional field is its default, or stays as it is. */
export const savePromptRequest = z.strictObject({
  slug: chosenSlug.optional().describe('Default: made from the title.'),
  title: nameText('Title is required')
    .max(PROMPT_TITLE_MAX, `Title must be at most ${PROMPT_TITLE_MAX} characters`)
    .describe('Trimmed.'),
  content: z
    .string()
    .refine(isVisible, 'Content is required')
    // Formatted on demand: loading the language's number formats would delay the first frame.
    .max(PROMPT_CONTENT_MAX, {
      error: () => `Content must be at most ${PROMPT_CONTENT_MAX.toLocaleString('en')} characters`,
    })
    .describe('The template: text with $<name> references.'),
  categoryId: z
    .int({
      error: (issue) =>
        issue.input === undefined || issue.input === null
          ? 'Please select a category'
          : 'Category must be a number',
    })
    .min(1, 'Please select a category')
    .max(2_147_483_647, 'Category must be a number')
    .describe('Id from GET /api/categories.'),
  ...promptSettingFields,
  isActive: z.boolean().optional().describe('Default: true.'),
  isPublic: z.boolean().optional().describe('Default: false.'),
  tagIds: z.array(id).max(PROMPT_TAGS_MAX).optional().describe('Default: none.'),
  note: versionNote
    .optional()
    .describe(
      'Note for the new version; refused if title, content and settings are unchanged, because no version is created.',
    ),
  revision: revision
    .optional()
    .describe('PUT: revision that was edited; a stale one is refused with 409 (D16).'),
})
export type SavePromptRequest = z.infer<typeof savePromptRequest>

export const PROMPT_SORTS = ['updated', 'created', 'title'] as const
export type PromptSort = (typeof PROMPT_SORTS)[number]

const listPromptsQuery = listQuery.extend({
  search: searchParam(
    'Words that must all be in the title, the content, the system prompt or a turn, in any order and also within other words; case, accents, width and kinds of spaces are ignored. If all words have one or two letters, only titles are searched; of very long texts, only the first 20,000 characters of different words are searched.',
  ),
  searchIn: z.enum(['all', 'title']).default('all').describe('title: search in titles only.'),
  categoryId: idParam.optional().describe('Only prompts in this category.'),
  tagIds: idList.optional().describe('Separated by commas; prompts with any of them (D19).'),
  ownership,
  sort: z
    .enum(PROMPT_SORTS)
    .default('updated')
    .describe(
      'updated: most recently saved first; created: newest first; title: by title. A prompt that is saved or renamed ' +
        'while pages are being read moves in updated and title; in created each appears exactly once.',
    ),
})
export type ListPromptsQuery = z.infer<typeof listPromptsQuery>

const sharePromptRequest = z.strictObject({
  sharedLevel: z
    .enum(['public', 'private'])
    .describe('private: visible to the owner and the people it is shared with.'),
})

/** Without a body the switch flips. */
const togglePromptRequest = z
  .strictObject({
    isActive: z.boolean().optional().describe('State to set; repeating the request changes nothing.'),
  })
  .nullish()

export const promptVersion = z.object({
  ...numberOfVersion,
  title: z.string().describe('Value when this version was saved.'),
  content: z.string().describe('Value when this version was saved.'),
  ...promptSettings,
  othersNames,
  ...savedVersion,
})
export type PromptVersion = Whole<z.infer<typeof promptVersion>>

export const listedPromptVersion = promptVersion.extend(clippedContent)
export type ListedPromptVersion = z.infer<typeof listedPromptVersion>

export const promptsApi = defineApi('prompts', {
  'GET /api/prompts': {
    who: 'guest',
    summary: 'The prompts that the caller can see',
    description: '304 when the list still matches `If-None-Match`.',
    query: listPromptsQuery,
    list: listedPrompt,
    unchanged: true,
  },
  'GET /api/prompts/{id}': { who: 'guest', summary: 'One prompt', params: idParams, reply: prompt },
  'GET /api/prompts/by-slug/{slug}': {
    who: 'guest',
    summary: 'One prompt by its current or a former slug',
    params: slugParams,
    reply: prompt,
  },
  'POST /api/prompts': {
    who: 'user',
    summary: 'Create a prompt',
    body: savePromptRequest,
    created: prompt,
    activity: { kind: 'prompt.created', object: 'prompt' },
  },
  'PUT /api/prompts/{id}': {
    who: 'user',
    summary: 'Save a prompt',
    description: '409 with the current prompt as details when the revision is stale.',
    params: idParams,
    body: savePromptRequest,
    reply: prompt,
    activity: { kind: 'prompt.changed', object: 'prompt' },
  },
  'PATCH /api/prompts/{id}/share': {
    who: 'user',
    summary: 'Make a prompt public or private',
    description: 'The people it is shared with stay the same. An editor can’t change the level.',
    params: idParams,
    body: sharePromptRequest,
    reply: prompt,
    activity: { kind: 'prompt.changed', object: 'prompt' },
  },
  'PATCH /api/prompts/{id}/toggle': {
    who: 'user',
    summary: 'Activate or deactivate a prompt',
    params: idParams,
    body: togglePromptRequest,
    reply: prompt,
    activity: { kind: 'prompt.changed', object: 'prompt' },
  },
  'DELETE /api/prompts/{id}': {
    who: 'user',
    summary: 'Delete a prompt, its versions and its history',
    params: idParams,
    activity: { kind: 'prompt.deleted', object: 'prompt' },
  },
  'POST /api/prompts/bulk': {
    ...bulkEndpoint,
    summary: 'Tag, move, switch or delete up to 200 prompts',
    body: bulkPromptsRequest,
    activity: { kind: ['prompt.changed', 'prompt.deleted'], object: 'prompt' },
  },
  'POST /api/prompts/{id}/duplicate': {
    who: 'user',
    summary: 'Make your own private copy of a prompt',
    description: 'With its tags, but without versions, history or shares.',
    params: idParams,
    created: prompt,
    activity: { kind: 'prompt.duplicated', object: 'prompt' },
  },
})

const CHANGERS = 'For people who may change the prompt.'

export const promptVersionsApi = defineApi('prompts', {
  'GET /api/prompts/{id}/versions': {
    who: 'user',
    summary: 'Versions of title and content, newest first',
    description: CHANGERS,
    params: idParams,
    query: listQuery,
    list: listedPromptVersion,
  },
  'GET /api/prompts/{id}/versions/{number}': {
    who: 'user',
    summary: 'One version with its full content',
    description: CHANGERS,
    params: versionParams('prompt'),
    reply: promptVersion,
  },
  'POST /api/prompts/{id}/versions/{number}/restore': {
    who: 'user',
    summary: "Save an older version's title and content as a new version",
    description: '409 with the current prompt as details when the revision is stale.',
    params: versionParams('prompt'),
    body: restoreVersionRequest,
    reply: prompt,
    activity: { kind: 'prompt.version_restored', object: 'prompt' },
  },
  'DELETE /api/prompts/{id}/versions/{number}': {
    who: 'user',
    summary: 'Delete a version',
    description: `${CHANGERS} 409 for the current one, and for one that a label or a step of a chain uses.`,
    params: versionParams('prompt'),
    activity: { kind: 'prompt.version_deleted', object: 'prompt' },
  },
  'PATCH /api/prompts/{id}/versions/{number}': {
    who: 'user',
    summary: 'Edit a version’s note',
    description: `${CHANGERS} Nothing else about a version ever changes.`,
    params: versionParams('prompt'),
    body: versionNoteRequest,
    activity: { kind: 'prompt.version_noted', object: 'prompt' },
  },
})

import * as z from 'zod'
import { id, idParam, idParams, timestamp } from './common.ts'
import { defineApi } from './endpoint.ts'
import { listQuery } from './lists.ts'
import { versionNumber } from './records/labels.ts'
import { slug } from './slugs.ts'

/** As the format of skills has it. */
const SKILL_DESCRIPTION_MAX = 1_024
const SKILL_PARTS_MAX = 50
const PATH_MAX = 200

const SKILL_TEXTS = {
  path: 'A path has letters, digits, `_`, `.` and `-`, with `/` between parts that begin with a letter or digit',
  ownFile: 'SKILL.md is the prompt itself: choose another path',
  oneSource: 'Name either a prompt or a variable',
  variable: 'Name a variable: letters, digits and `_`',
  twice: 'Each path can be used once, whatever its case',
} as const

const path = z
  .string()
  .max(PATH_MAX, `A path can have at most ${PATH_MAX} characters`)
  .regex(/^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/, SKILL_TEXTS.path)
  .refine((value) => value.toLowerCase() !== 'skill.md', SKILL_TEXTS.ownFile)
  .describe('Its path in the skill’s folder, such as `references/style.md`.')

const description = z
  .string()
  .trim()
  .min(1, 'A skill needs a description')
  .max(SKILL_DESCRIPTION_MAX, `A description can have at most ${SKILL_DESCRIPTION_MAX} characters`)
  .describe('Tells an agent what the skill does and when to use it.')

export const saveSkillRequest = z.strictObject({
  description,
  parts: z
    .array(
      z
        .strictObject({
          path,
          promptId: id
            .optional()
            .describe(
              'A prompt that the caller can see; its text by the same label, for people who can see it too.',
            ),
          variable: z
            .string()
            .regex(/^\w{1,50}$/, SKILL_TEXTS.variable)
            .optional()
            .describe(
              'Name of a text or file variable: its value for the person who fetches the skill (D22).',
            ),
        })
        .refine((part) => (part.promptId === undefined) !== (part.variable === undefined), {
          error: SKILL_TEXTS.oneSource,
          path: ['promptId'],
        }),
    )
    .max(SKILL_PARTS_MAX, `A skill can have at most ${SKILL_PARTS_MAX} more files`)
    .refine((parts) => new Set(parts.map((part) => part.path.toLowerCase())).size === parts.length, {
      error: SKILL_TEXTS.twice,
    })
    .default([])
    .describe('Additional files beside SKILL.md. Default: none.'),
})
export type SkillPart = z.output<typeof saveSkillRequest>['parts'][number]

export const skill = z.object({
  description: z.string().describe('Tells an agent what the skill does and when to use it.'),
  parts: z
    .array(
      z.object({
        path: z.string().describe('Its path in the skill’s folder.'),
        promptId: id.nullable(),
        title: z
          .string()
          .nullable()
          .describe('Title of the prompt; null: a variable, or a prompt that the caller can’t see.'),
        variable: z.string().nullable().describe('Name of the variable; null: a prompt.'),
      }),
    )
    .describe('Additional files beside SKILL.md, sorted by path.'),
  updatedAt: timestamp,
})
export type Skill = z.infer<typeof skill>

const listedSkill = z.object({
  promptId: id,
  slug,
  title: z.string().describe('Title of the prompt.'),
  description: z.string().describe('Its first 500 characters.'),
  owner: z.string().describe('Username of the prompt’s owner.'),
  parts: z.int().describe('Number of additional files beside SKILL.md.'),
})
export type ListedSkill = z.infer<typeof listedSkill>

export const FETCHED_KINDS = ['prompt', 'skill'] as const

/** Repeated fetches of the same version by the same client through the same token are one item. */
export const promptFetch = z.object({
  id,
  kind: z.enum(FETCHED_KINDS).describe('How it was fetched.'),
  promptId: id,
  slug,
  title: z.string().describe('Current title.'),
  version: versionNumber.describe('Number of the fetched version.'),
  label: z.string().nullable().describe('Label by which it was found; null: found by its number.'),
  client: z
    .string()
    .describe(
      'Name and version that the client gave; may be empty, and always is for other people, whose fetches of a version are one item.',
    ),
  person: z.string().describe('Username of the person whose token it was.'),
  tokenId: id.nullable().describe('null: deleted, or another person’s.'),
  tokenName: z.string().nullable().describe('null: another person’s.'),
  count: z.int().describe('How often.'),
  firstAt: timestamp,
  lastAt: timestamp,
})
export type PromptFetch = z.infer<typeof promptFetch>

export const listFetchesQuery = listQuery.extend({
  tokenId: idParam.optional().describe('Only fetches with this token.'),
})
export type ListFetchesQuery = z.output<typeof listFetchesQuery>

export const skillsApi = defineApi('prompts', {
  'GET /api/prompts/{id}/skill': {
    who: 'user',
    summary: 'The skill that a prompt is served as',
    params: idParams,
    reply: skill,
    errors: [401],
  },
  'PUT /api/prompts/{id}/skill': {
    who: 'user',
    summary: 'Serve a prompt to agents as a skill, for people who may change it',
    description: 'SKILL.md is the text of the version that a token serves; the name is the prompt’s slug.',
    params: idParams,
    body: saveSkillRequest,
    reply: skill,
    activity: { kind: 'prompt.skill_saved', object: 'prompt' },
  },
  'DELETE /api/prompts/{id}/skill': {
    who: 'user',
    summary: 'Stop serving a prompt as a skill, for people who may change it',
    params: idParams,
    activity: { kind: 'prompt.skill_removed', object: 'prompt' },
  },
  'GET /api/skills': {
    who: 'user',
    summary: 'Prompts that are served to agents as skills, by slug',
    query: listQuery,
    list: listedSkill,
    errors: [401],
  },
  'GET /api/prompts/{id}/fetches': {
    who: 'user',
    summary: 'Who fetched which version of a prompt, newest first, for people who may change it',
    params: idParams,
    query: listQuery,
    list: promptFetch,
    errors: [401, 403],
  },
})

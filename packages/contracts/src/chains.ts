import * as z from 'zod'
import { id, idParam, revision, rights, timestamp } from './common.ts'
import { othersNames } from './fills.ts'
import { modelAlias, storedModel } from './installation/models.ts'
import { clip, clippedContent, listQuery, searchParam } from './lists.ts'
import { nameText, optionalName } from './names.ts'
import { PROMPT_CONTENT_MAX, PROMPT_TITLE_MAX } from './prompts.ts'
import { labelOfRecord, movableLabel, versionNumber } from './records/labels.ts'
import { ownership } from './records/shares.ts'
import { versionNote } from './records/versions.ts'
import { MAX_TOKENS_MAX, SYSTEM_PROMPT_MAX } from './settings/model-settings.ts'
import { CHAIN_INPUT_NAMES, OUTPUT_NAME_MAX, OUTPUT_NAME_REQUIRED } from './settings/step-flow.ts'
import { stepSettingFields, stepSettings } from './settings/step-settings.ts'
import { chosenSlug, slug } from './slugs.ts'
import { stopsWhenCut, stopsWithoutValue } from './stop-rules.ts'
import { byTagsQuery, tag } from './tags.ts'
import { exampleRequests } from './tokens/best-chain.ts'

export const CHAIN_NAME_MAX = 100
export const CHAIN_DESCRIPTION_MAX = 2000
const CHAIN_TAGS_MAX = 50
export const CHAIN_STEPS_MAX = 200
/** The specification's default for steps; prompts have another. */
export const DEFAULT_STEP_MODEL = 'openai'

const SHARED_LEVELS = ['private', 'shared', 'public'] as const
const sharedLevel = z
  .enum(SHARED_LEVELS)
  .describe('private: only the owner; shared: the owner and the people it is shared with; public: everyone.')
export type SharedLevel = z.infer<typeof sharedLevel>

export const RUNS_VISIBLE_TO = ['editors', 'runner'] as const
const runsVisibleTo = z
  .enum(RUNS_VISIBLE_TO)
  .describe(
    'Who sees runs of the chain while it is not public (D42). runner: only the person who started a run; editors: the owner and editors too, with values of private variables masked. Changing it to editors does not open earlier runs.',
  )
export type RunsVisibleTo = z.infer<typeof runsVisibleTo>

const asksFirst = z
  .boolean()
  .describe('Agents that run it as a tool are told to ask their user before each run.')

const chainFields = {
  id,
  name: z.string().describe('Name shown in lists.'),
  description: z.string().describe('May be empty.'),
  sharedLevel,
  stopsWithoutValue,
  stopsWhenCut,
  runsVisibleTo,
  tags: z.array(tag).describe('Sorted by name.'),
  owner: z.string().describe("The owner's username."),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
  canView: z.boolean().describe('false: listed for an admin, who may delete it but sees only its name.'),
  ...rights,
}

export const chainListItem = z.object({
  ...chainFields,
  descriptionClipped: clip.clipped,
  descriptionLength: clip.length,
  steps: z.array(z.object({ id })).describe('One entry for each step.'),
})
export type ChainListItem = z.infer<typeof chainListItem>

type ShownOfHiddenChain =
  | ('id' | 'name' | 'owner' | 'sharedLevel' | 'revision' | 'createdAt' | 'updatedAt' | 'canView')
  | keyof typeof rights

/** Replaces what a viewer may not see of a chain (`canView: false`). */
export const hiddenChain: Omit<ChainListItem, ShownOfHiddenChain> = {
  description: '',
  stopsWithoutValue: 'unwatched',
  stopsWhenCut: 'unwatched',
  runsVisibleTo: 'editors',
  tags: [],
  steps: [],
}

export const listChainsQuery = listQuery.extend({
  search: searchParam(
    'Words that must all be in the name or the description, in any order; case, accents, width and kinds of spaces are ignored.',
  ),
  visibility: sharedLevel.optional().describe('Only chains with this visibility.'),
  ownership,
})

export const listChainsByTagsQuery = listChainsQuery.extend(byTagsQuery.shape)
export type ListChainsQuery = z.infer<typeof listChainsByTagsQuery>

const LINKED_PROMPT =
  'The text of the linked prompt, which runs instead of the copy (D29), if the viewer may see the prompt.'
const PROMPT_LABEL = 'Label whose version of the prompt runs; null: none.'
const PROMPT_VERSION =
  'This version of the prompt runs, even if the prompt changes; null: none. With neither a label nor a version its current text runs.'

const FALLBACK_MODEL = 'Model that answers when the step’s own model has failed for good; null: none.'

export const chainStep = z.object({
  id,
  position: z.int().min(0).describe('Steps run by position, then by id.'),
  title: z.string().describe('May be empty.'),
  content: z.string().describe('Template with $<variable>, {{output}}, {{input}} and {{input_context}}.'),
  model: storedModel.nullable().describe('Model that it asks; null: it asks none.'),
  fallbackModel: storedModel.nullable().describe(FALLBACK_MODEL),
  outputVariableName: z.string().describe('Name that later steps use for its output.'),
  promptId: id.nullable(),
  promptLabel: movableLabel.nullable().describe(PROMPT_LABEL),
  promptVersion: versionNumber.nullable().describe(PROMPT_VERSION),
  linkedPrompt: z
    .object({
      id,
      title: z.string().describe('Title of the prompt.'),
      content: z.string().describe('Template of the prompt.'),
      version: z.int().describe('Number of the version that this text belongs to.'),
    })
    .nullable()
    .describe(LINKED_PROMPT),
  systemPrompt: z.string().nullable().describe('Sent as the system prompt; null: none.'),
  temperature: z.number().nullable().describe('null: the model’s default.'),
  maxTokens: z.int().nullable().describe('Maximum length of the answer; null: the model’s default.'),
  ...stepSettings,
  othersNames,
})
export type ChainStep = z.infer<typeof chainStep>

export const listedStep = chainStep.extend({
  ...clippedContent,
  systemPromptClipped: clip.clipped,
  systemPromptLength: clip.length,
  linkedPrompt: chainStep.shape.linkedPrompt
    .unwrap()
    .extend(clippedContent)
    .nullable()
    .describe(LINKED_PROMPT),
})
export type ListedStep = z.infer<typeof listedStep>

export const chain = z.object({
  ...chainFields,
  slug,
  version: z.int().describe('Number of the current version of steps and settings.'),
  labels: z.array(labelOfRecord).describe('Sorted by name.'),
  exampleRequests,
  asksFirst,
  steps: z.array(listedStep).describe('In running order.'),
})
export type Chain = z.infer<typeof chain>

const chainName = nameText('Name is required')
  .max(CHAIN_NAME_MAX, `Name must be less than ${CHAIN_NAME_MAX} characters`)
  .describe('Trimmed.')
const description = z
  .string()
  .trim()
  .max(CHAIN_DESCRIPTION_MAX, `Description must be at most ${CHAIN_DESCRIPTION_MAX} characters`)
  .describe('Trimmed.')
const tagIds = z.array(id).max(CHAIN_TAGS_MAX).describe('Ids from GET /api/chain-tags.')
const staleRefused = revision
  .optional()
  .describe('Revision of the chain that was edited; a stale one is refused with 409 (D16).')

export const createChainRequest = z.strictObject({
  name: chainName,
  description: description.optional(),
  sharedLevel: sharedLevel.default('private'),
  stopsWithoutValue: stopsWithoutValue.default('unwatched'),
  stopsWhenCut: stopsWhenCut.default('unwatched'),
  runsVisibleTo: runsVisibleTo.default('editors'),
  tagIds: tagIds.optional().describe('Default: none.'),
  exampleRequests: exampleRequests.optional().describe('Default: none.'),
  asksFirst: asksFirst.optional().describe('Default: false.'),
})
export type CreateChainRequest = z.input<typeof createChainRequest>

export const updateChainRequest = z.strictObject({
  name: chainName.optional(),
  description: description.optional(),
  sharedLevel: sharedLevel.optional(),
  stopsWithoutValue: stopsWithoutValue.optional(),
  stopsWhenCut: stopsWhenCut.optional(),
  runsVisibleTo: runsVisibleTo.optional().describe('Only the owner may change it.'),
  tagIds: tagIds.optional(),
  exampleRequests: exampleRequests.optional(),
  asksFirst: asksFirst.optional(),
  slug: chosenSlug.optional(),
  note: versionNote.optional(),
  revision: staleRefused,
})
export type UpdateChainRequest = z.infer<typeof updateChainRequest>

const stepFields = {
  title: optionalName()
    .max(PROMPT_TITLE_MAX, `Title must be at most ${PROMPT_TITLE_MAX} characters`)
    .describe('Trimmed.'),
  content: z
    .string()
    // Formatted on demand: loading the language's number formats would delay the first frame.
    .max(PROMPT_CONTENT_MAX, {
      error: () => `Content must be at most ${PROMPT_CONTENT_MAX.toLocaleString('en')} characters`,
    })
    .describe('Template with $<variable>, {{output}}, {{input}} and {{input_context}}.'),
  model: modelAlias.nullable().describe('Model that it asks; of a step of kind stop null.'),
  fallbackModel: modelAlias.nullable().describe(FALLBACK_MODEL),
  outputVariableName: z
    .string(OUTPUT_NAME_REQUIRED)
    .trim()
    .max(OUTPUT_NAME_MAX, `Output variable name must be at most ${OUTPUT_NAME_MAX} characters`)
    .regex(/^[A-Za-z0-9_]*$/, 'Output variable name may contain letters, digits and underscores only')
    .refine((name) => !CHAIN_INPUT_NAMES.includes(name.toLowerCase()), {
      error: ({ input }) => `{{${input}}} is the input of a run. Choose another output variable name.`,
    })
    .describe(
      'Name that later steps use for its output; unique in its chain. May be empty for a step of kind stop alone.',
    ),
  promptId: id
    .nullable()
    .describe('Id of a library prompt whose text runs instead of the step’s copy (D29).'),
  promptLabel: movableLabel.nullable().describe(PROMPT_LABEL),
  promptVersion: versionNumber.nullable().describe(PROMPT_VERSION),
  position: z
    .int('Position must be a positive number')
    .min(0, 'Position must be a positive number')
    .max(1_000_000, 'Position must be at most 1,000,000')
    .describe('Steps run by position, then by id.'),
  systemPrompt: z
    .string()
    .max(SYSTEM_PROMPT_MAX)
    .nullable()
    .describe('Sent as the system prompt; null: none.'),
  temperature: z.number().min(0).max(2).nullable().describe('null: the model’s default.'),
  maxTokens: z
    .int()
    .min(1)
    .max(MAX_TOKENS_MAX)
    .nullable()
    .describe('Maximum length of the answer; null: the model’s default.'),
  ...stepSettingFields,
}

export const createStepRequest = z.strictObject({
  title: stepFields.title.default(''),
  content: stepFields.content.default(''),
  model: stepFields.model
    .optional()
    .describe(`Model that it asks. Default: ${DEFAULT_STEP_MODEL}; of a step of kind stop null.`),
  fallbackModel: stepFields.fallbackModel.default(null),
  outputVariableName: stepFields.outputVariableName
    .default('')
    .describe(
      'Name that later steps use for its output; unique in its chain. Required but for a step of kind stop.',
    ),
  promptId: stepFields.promptId.default(null),
  promptLabel: stepFields.promptLabel.default(null),
  promptVersion: stepFields.promptVersion.default(null),
  position: stepFields.position.default(0),
  systemPrompt: stepFields.systemPrompt.default(null),
  temperature: stepFields.temperature.default(null),
  maxTokens: stepFields.maxTokens.default(null),
  ...stepSettingFields,
  note: versionNote.optional(),
  revision: staleRefused,
})
export type CreateStepRequest = z.input<typeof createStepRequest>

export const elseStep = createStepRequest.omit({ position: true, onlyIf: true }).extend({
  outputVariableName: stepFields.outputVariableName
    .optional()
    .describe('Name that later steps use for its output. Default: a free one, made of the other step’s.'),
})
/** The body may be absent. */
export const elseStepRequest = elseStep.nullish()

/**
 * An absent field stays as it is. Another prompt, label or version replaces the label or version that the step was
 * linked to.
 */
export const updateStepRequest = z
  .strictObject({ ...stepFields, note: versionNote, revision: staleRefused })
  .partial()
export type UpdateStepRequest = z.infer<typeof updateStepRequest>

export const stepParams = z.strictObject({
  id: idParam.describe('Id of the chain.'),
  stepId: idParam.describe('Id of a step of the chain.'),
})

export const reorderStepsRequest = z.strictObject({
  stepIds: z.array(id).max(CHAIN_STEPS_MAX).describe('Ids of all steps of the chain, each once.'),
  revision: staleRefused,
})

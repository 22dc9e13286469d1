import * as z from 'zod'
import { CHAIN_STEPS_MAX, createChainRequest, createStepRequest } from '../chains.ts'
import { entryName } from '../common.ts'
import { nameText } from '../names.ts'
import { savePromptRequest } from '../prompts.ts'
import { movableLabel, versionNumber } from '../records/labels.ts'
import { MORE_FALLBACKS_MAX, promptSettingFields } from '../settings/model-settings.ts'
import { findStepFault } from '../settings/step-flow.ts'
import { stepSettingFields } from '../settings/step-settings.ts'
import { saveSkillRequest } from '../skills.ts'
import { slug } from '../slugs.ts'
import {
  createTestCaseRequest,
  notRunItem,
  TEST_CASE_BYTES_MAX,
  TEST_CASES_MAX,
  TEST_NAME_MAX,
} from '../test-suites.ts'
import { stepTool } from '../tools/step-tool.ts'

const FOLDER_TAGS_MAX = 50
const SKILL_PARTS_MAX = 50
const MODEL_MAX = 200

const { title, content } = savePromptRequest.shape
const tags = z.array(entryName).max(FOLDER_TAGS_MAX).default([])
/** Another instance may call a model otherwise, which the import tells. */
const model = z.string().trim().min(1).max(MODEL_MAX)
const models = {
  fallbackModel: model.nullable().optional(),
  moreFallbackModels: z.array(model).max(MORE_FALLBACKS_MAX).nullable().optional(),
}

const skillShape = saveSkillRequest.shape
const skillPart = z.strictObject({
  path: skillShape.parts.unwrap().element.shape.path,
  prompt: slug.optional(),
  variable: skillShape.parts.unwrap().element.shape.variable,
})
const skillFile = z.strictObject({
  description: skillShape.description,
  parts: z
    .array(
      skillPart.refine(({ prompt, variable }) => (prompt === undefined) !== (variable === undefined), {
        error: 'Name either a prompt or a variable',
      }),
    )
    .max(SKILL_PARTS_MAX, `A skill can have at most ${SKILL_PARTS_MAX} more files`)
    .default([]),
})

const promptFile = z.strictObject({
  title,
  category: entryName.default('General'),
  tags,
  active: z.boolean().default(true),
  skill: skillFile.nullable().default(null),
  ...promptSettingFields,
  model: model.nullable().optional(),
  ...models,
  text: z.string().optional(),
})

const promptText = z.object({ text: content })

const stepShape = createStepRequest.shape
const stepFile = z
  .strictObject({
    outputName: stepShape.outputVariableName,
    title: stepShape.title,
    prompt: slug.nullable().default(null),
    label: movableLabel.nullable().default(null),
    version: versionNumber.nullable().default(null),
    model: model.nullable().default(null),
    temperature: stepShape.temperature,
    maxTokens: stepShape.maxTokens,
    ...stepSettingFields,
    // Sealed values are in no file.
    tool: stepTool.nullable().optional(),
    ...models,
    fallbackModel: model.nullable().default(null),
    systemPrompt: stepShape.systemPrompt,
    content: stepShape.content,
  })
  .refine(({ label, version }) => label === null || version === null, {
    path: ['label'],
    error: 'Choose either a label or a version',
  })
  .refine(({ prompt, label, version }) => prompt !== null || (label === null && version === null), {
    path: ['prompt'],
    error: 'Name the prompt that the label or version belongs to',
  })
  .superRefine(({ outputName, prompt, ...step }, context) => {
    const fault = findStepFault({ ...step, outputVariableName: outputName, promptId: prompt })
    if (!fault) return
    const path = { outputVariableName: 'outputName', promptId: 'prompt' }[fault.path] ?? fault.path
    context.addIssue({ code: 'custom', path: [path], message: fault.message })
  })

export type ChainFileStep = z.output<typeof stepFile>

const {
  name: chainName,
  description,
  stopsWithoutValue,
  stopsWhenCut,
  runsVisibleTo,
  exampleRequests,
  asksFirst,
} = createChainRequest.shape
const chainFile = z.strictObject({
  name: chainName,
  description: description.default(''),
  tags,
  stopsWithoutValue,
  stopsWhenCut,
  runsVisibleTo,
  exampleRequests: exampleRequests.default([]),
  asksFirst: asksFirst.default(false),
  steps: z.array(stepFile).max(CHAIN_STEPS_MAX, `At most ${CHAIN_STEPS_MAX} steps`).default([]),
})

const caseShape = createTestCaseRequest.shape
const suiteName = nameText('A suite needs a name').max(TEST_NAME_MAX)
const notRun = z.array(notRunItem).default([])
const parts = {
  values: caseShape.values,
  assertions: caseShape.assertions,
  threshold: caseShape.threshold,
  notRun,
}
const caseFile = z
  .strictObject({
    name: z.string().max(TEST_NAME_MAX),
    input: caseShape.input,
    tags: caseShape.tags,
    skipsDefaults: caseShape.skipsDefaults,
    given: caseShape.given,
    ...parts,
  })
  .refine(
    (each) => new TextEncoder().encode(JSON.stringify(each)).length <= TEST_CASE_BYTES_MAX,
    `A case can be at most ${TEST_CASE_BYTES_MAX / 1000} kB`,
  )
const suiteFile = z.strictObject({
  name: suiteName,
  prompt: slug.optional(),
  chain: slug.optional(),
  defaults: z.strictObject(parts).prefault({}),
  imported: notRun,
  cases: z.array(caseFile).max(TEST_CASES_MAX, `At most ${TEST_CASES_MAX} cases`).default([]),
})

export const FOLDER_FILES = { prompt: promptFile, promptText, chain: chainFile, suite: suiteFile } as const

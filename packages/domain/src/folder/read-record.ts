import {
  CHAIN_STEPS_MAX,
  createChainRequest,
  createStepRequest,
  createTestCaseRequest,
  entryName,
  MORE_FALLBACKS_MAX,
  movableLabel,
  notRunItem,
  PROMPT_SETTINGS,
  type PromptSettings,
  promptSettingFields,
  STEP_SETTINGS,
  type StepSettings,
  savePromptRequest,
  slug,
  stepSettingFields,
  TEST_CASE_BYTES_MAX,
  TEST_CASES_MAX,
  TEST_NAME_MAX,
  versionNumber,
} from '@catenary/contracts'
import * as z from 'zod'
import { checkSchema } from '../answer-schema/index.ts'
import { createCleaner, tidy } from '../imports/tidy.ts'
import { ImportError, isFields } from '../promptfoo/draft.ts'
import { readPlainYaml } from '../promptfoo/read-file.ts'
import type { FolderChain, FolderPrompt, FolderRecord, FolderStep, FolderSuite } from './folder-records.ts'

const FRONT = /^\ufeff?---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/
/** What the first lines of each of our files say. */
const MARK = /^catenary:[ \t]*["']?(prompt|chain|suite)["']?[ \t]*$/m
const HEAD_LENGTH = 2_000
const FOLDER_TAGS_MAX = 50
const MODEL_MAX = 200

/** Whether the file says that it is one of ours. */
export function isFolderFile(text: string): boolean {
  return MARK.test(text.slice(0, HEAD_LENGTH).replaceAll('\r\n', '\n'))
}

/** The record of a file; its slug is the file's name. Throws `ImportError` with the place. */
export function readRecord(
  { name, text }: { name: string; text: string },
  clean = createCleaner().clean,
): FolderRecord {
  const plain = clean(text.replaceAll('\r\n', '\n'))
  const front = FRONT.exec(plain)
  // The last line end is the front matter's, too: a text at its end may have several.
  const tree = tidy(readPlainYaml(front === null ? plain : `${front[1]}\n`), clean)
  if (!isFields(tree)) throw new ImportError('It has no names')
  const { catenary: kind, ...fields } = tree
  if (kind === 'prompt') return toPrompt({ name, fields, body: front ? bodyOf(plain, front[0]) : '' })
  if (kind === 'chain') return toChain(name, fields)
  if (kind === 'suite') return toSuite(name, fields)
  throw new ImportError('catenary: it is none of prompt, chain and suite')
}

/** A line before and after the text are the file's. */
function bodyOf(text: string, front: string): string {
  return text.slice(front.length).replace(/^\n/, '').replace(/\n$/, '')
}

type Tree = Readonly<Record<string, unknown>>

const { title, content } = savePromptRequest.shape
const tags = z.array(entryName).max(FOLDER_TAGS_MAX).default([])
/** Another instance may call a model otherwise, which the import tells. */
const model = z.string().trim().min(1).max(MODEL_MAX)
const models = {
  fallbackModel: model.nullable().optional(),
  moreFallbackModels: z.array(model).max(MORE_FALLBACKS_MAX).nullable().optional(),
}

const promptFile = z.strictObject({
  title,
  category: entryName.default('General'),
  tags,
  active: z.boolean().default(true),
  ...promptSettingFields,
  model: model.nullable().optional(),
  ...models,
  text: z.string().optional(),
})

function toPrompt({ name, fields, body }: { name: string; fields: Tree; body: string }): FolderPrompt {
  const { title, category, tags, active, text, ...settings } = parse(promptFile, fields)
  return {
    kind: 'prompt',
    slug: slugOf(name),
    title,
    content: parse(z.object({ text: content }), { text: text ?? body }).text,
    category,
    tags,
    isActive: active,
    settings: settingsOf<PromptSettings>(settings, PROMPT_SETTINGS),
  }
}

const stepShape = createStepRequest.shape
const stepFile = z
  .strictObject({
    outputName: stepShape.outputVariableName,
    title: stepShape.title,
    prompt: slug.nullable().default(null),
    label: movableLabel.nullable().default(null),
    version: versionNumber.nullable().default(null),
    model,
    temperature: stepShape.temperature,
    maxTokens: stepShape.maxTokens,
    ...stepSettingFields,
    ...models,
    fallbackModel: model.nullable().default(null),
    systemPrompt: stepShape.systemPrompt,
    content: stepShape.content,
  })
  .refine(({ label, version }) => label === null || version === null, {
    path: ['label'],
    error: 'Choose a label or a version, not both',
  })
  .refine(({ prompt, label, version }) => prompt !== null || (label === null && version === null), {
    path: ['prompt'],
    error: 'Name the prompt whose label or version it is',
  })

const {
  name: chainName,
  description,
  stopsWithoutValue,
  runsVisibleTo,
  exampleRequests,
} = createChainRequest.shape
const chainFile = z.strictObject({
  name: chainName,
  description: description.default(''),
  tags,
  stopsWithoutValue,
  runsVisibleTo,
  exampleRequests: exampleRequests.default([]),
  steps: z.array(stepFile).max(CHAIN_STEPS_MAX, `At most ${CHAIN_STEPS_MAX} steps`).default([]),
})

function toChain(name: string, fields: Tree): FolderChain {
  const { steps, ...chain } = parse(chainFile, fields)
  const names = steps.map(({ outputName }) => outputName.toLowerCase())
  const twice = names.findIndex((each, index) => names.indexOf(each) !== index)
  if (twice !== -1) throw new ImportError(`steps[${twice}].outputName: Another step has this output name`)
  return { kind: 'chain', slug: slugOf(name), ...chain, steps: steps.map(toStep) }
}

function toStep({ outputName, ...step }: z.output<typeof stepFile>): FolderStep {
  const { title, prompt, label, version, model, fallbackModel, temperature, maxTokens } = step
  return {
    outputVariableName: outputName,
    title,
    prompt,
    label,
    version,
    model,
    fallbackModel,
    temperature,
    maxTokens,
    settings: settingsOf<StepSettings>(step, STEP_SETTINGS),
    systemPrompt: step.systemPrompt,
    content: step.content,
  }
}

const caseShape = createTestCaseRequest.shape
const suiteName = z.string().min(1).max(TEST_NAME_MAX)
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
    ...parts,
  })
  .refine(
    (each) => new TextEncoder().encode(JSON.stringify(each)).length <= TEST_CASE_BYTES_MAX,
    `A case takes at most ${TEST_CASE_BYTES_MAX / 1000} kB`,
  )
const suiteFile = z.strictObject({
  name: suiteName,
  prompt: slug.optional(),
  chain: slug.optional(),
  defaults: z.strictObject(parts).prefault({}),
  imported: notRun,
  cases: z.array(caseFile).max(TEST_CASES_MAX, `At most ${TEST_CASES_MAX} cases`).default([]),
})

function toSuite(name: string, fields: Tree): FolderSuite {
  const { prompt, chain, ...suite } = parse(suiteFile, fields)
  if ((prompt === undefined) === (chain === undefined)) {
    throw new ImportError('It names a prompt or a chain, by the name of its file')
  }
  const of =
    prompt === undefined
      ? { kind: 'chain' as const, slug: chain ?? '' }
      : { kind: 'prompt' as const, slug: prompt }
  return { kind: 'suite', of, file: baseName(name), ...suite }
}

function settingsOf<Settings extends object>(
  values: { [Name in keyof Settings]?: unknown },
  names: readonly (keyof Settings & string)[],
): Settings {
  const set = names.map((name) => [name, values[name]] as const).filter(([, value]) => isSet(value))
  for (const [name, value] of set) if (name === 'output') requireSchema(value)
  return Object.fromEntries(set) as Settings
}

/** Another would be refused by a vendor (ADR 035). */
function requireSchema(output: unknown): void {
  if (!isFields(output) || !isFields(output.schema)) return
  const [problem] = checkSchema(output.schema).problems
  if (problem === undefined) return
  const place = problem.path === '' ? 'output.schema' : `output.schema.${problem.path}`
  throw new ImportError(`${place}: ${problem.message}`)
}

function isSet(value: unknown): boolean {
  if (isFields(value) && value.type === 'text') return false
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== ''
}

/** The file's own name; empty where that is no slug, as of a pasted text or a second download. */
function slugOf(name: string): string {
  return slug.safeParse(baseName(name)).data ?? ''
}

function baseName(name: string): string {
  const file = name.split(/[/\\]/).at(-1) ?? name
  return file.replace(/\.(md|ya?ml)$/i, '')
}

/** Throws `ImportError` for the first thing that is wrong, with its place. */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = (issue?.path ?? []).reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`
    return at === '' ? String(key).slice(0, 80) : `${at}.${String(key).slice(0, 80)}`
  }, '')
  const message = issue?.message.slice(0, 200) ?? 'It is not valid'
  throw new ImportError(place === '' ? message : `${place}: ${message}`)
}

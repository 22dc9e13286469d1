import {
  BODY_TYPES,
  HTTP_METHODS,
  type HttpTool,
  httpTool,
  type StepTool,
  TOOL_ADDRESS_MAX,
  TOOL_BODY_MAX,
  TOOL_PART_MAX,
  type ToolPart,
} from '@catenary/contracts'
import { findToolFault } from '@catenary/domain'
import * as z from 'zod'
import type { ConflictRows } from '../../../../components/forms/conflict-rows.ts'
import type { FieldChange } from '../../../../components/text-diff/field-changes.tsx'
import { newId } from '../../../../lib/new-id.ts'
import { outputForm, showOutput } from '../../../model-settings/output/output-form.ts'
import { type OutputInput, outputInput } from '../../../model-settings/output/output-value.ts'
import { changesOf, tooLong } from '../flow/flow-form.ts'

const partInput = z.object({
  /** What it is known by in the form. */
  key: z.string(),
  name: z.string(),
  value: z.string(),
})
export type PartInput = z.output<typeof partInput>

/** As the API takes it. */
export const PART_NAME_MAX = 200

export const newPart = (): PartInput => ({ key: newId(), name: '', value: '' })

/** What a step calls, while it is being filled in. */
export const toolInput = {
  method: z.enum(HTTP_METHODS).default('POST'),
  address: z.string().default(''),
  query: z.array(partInput).default([]),
  headers: z.array(partInput).default([]),
  bodyType: z.enum(BODY_TYPES).default('json'),
  body: z.string().default(''),
  answer: outputInput,
  safeToRepeat: z.boolean().default(false),
}
const tool = z.object(toolInput)
type ToolInput = z.output<typeof tool>

interface StoredTool {
  tool?: StepTool | null | undefined
}

export function toolInputOf({ tool: stored }: StoredTool): ToolInput {
  if (!stored) return tool.parse({})
  const { method, url, query, headers, body, answer, safeToRepeat } = stored
  return {
    method,
    address: url,
    query: query.map(partOf),
    headers: headers.map(partOf),
    bodyType: body.type,
    body: body.content,
    answer: answerInputOf(answer),
    safeToRepeat,
  }
}

const partOf = (part: ToolPart, index: number): PartInput => ({ key: `${index}`, ...part })

/** JSON of which nothing is said. */
const ANY_JSON: OutputInput = { type: 'json', unfinished: [] }

const isAnyJson = (input: OutputInput): boolean =>
  'unfinished' in input &&
  (typeof input.unfinished === 'string' ? input.unfinished.trim() === '' : input.unfinished.every(isBlankRow))

const isBlankRow = ({ name, description }: { name: string; description: string }): boolean =>
  name.trim() === '' && description.trim() === ''

const answerInputOf = ({ as, schema }: HttpTool['answer']): OutputInput =>
  as === 'text' ? { type: 'text' } : schema ? { type: 'json', schema } : ANY_JSON

const sentPart = ({ name, value }: PartInput): ToolPart => ({ name: name.trim(), value })

function toolOf(values: Omit<ToolInput, 'answer'> & { answer: HttpTool['answer'] }): StepTool {
  const { method, address, query, headers, bodyType, body } = values
  const hasBody = method !== 'GET' && bodyType !== 'none'
  return {
    type: 'http',
    method,
    url: address.trim(),
    query: query.map(sentPart),
    headers: headers.map(sentPart),
    body: hasBody ? { type: bodyType, content: body } : { type: 'none', content: '' },
    answer: values.answer,
    safeToRepeat: values.safeToRepeat,
  }
}

const { name: partName } = httpTool.shape.headers.element.shape

/** As it may be saved. */
export const toolForm = {
  method: toolInput.method.unwrap(),
  address: z.string().max(TOOL_ADDRESS_MAX, tooLong(TOOL_ADDRESS_MAX)),
  query: z.array(partInput),
  headers: z.array(partInput),
  bodyType: toolInput.bodyType.unwrap(),
  body: z.string().max(TOOL_BODY_MAX, tooLong(TOOL_BODY_MAX)),
  answer: toolInput.answer.unwrap().transform((value, context): HttpTool['answer'] => {
    if (isAnyJson(value)) return { as: 'json' }
    const read = outputForm.safeParse(value)
    if (read.data)
      return read.data.type === 'text' ? { as: 'text' } : { as: 'json', schema: read.data.schema }
    for (const { message } of read.error?.issues ?? []) context.addIssue({ code: 'custom', message })
    return z.NEVER
  }),
  safeToRepeat: z.boolean(),
}
const calling = z.object(toolForm)

/** A field of the form for one of the request, as the server and the checks name it. */
export function toolFieldOf(path: string): string {
  const [, field, rest = ''] = /^tool\.(\w+)(.*)$/.exec(path) ?? []
  if (field === 'url') return 'address'
  if (field === 'query' || field === 'headers') return `${field}${rest}`
  return field ?? path
}

const HARMLESS = {
  url: 'https://localhost',
  query: [],
  headers: [],
  body: { type: 'none', content: '' },
} satisfies Partial<StepTool>

/** What is at fault in each of its parts. */
function faultsOf(called: StepTool) {
  const { url, query, headers, body } = called
  const syntax = { outputs: true, jsonOutputs: { has: () => true } }
  return [{ url }, { query }, { headers }, { body }].flatMap(
    (part) => findToolFault({ ...called, ...HARMLESS, ...part }, syntax) ?? [],
  )
}

/** What is wrong with several fields together. */
export function checkTool(values: z.output<typeof calling>, context: z.RefinementCtx): void {
  const issue = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  if (values.address.trim() === '') issue(['address'], 'Write the address')
  values.headers.forEach(({ name }, index) => {
    const problem = partName.safeParse(name.trim()).error?.issues[0]
    if (problem) issue(['headers', index, 'name'], problem.message)
  })
  values.query.forEach(({ name }, index) => {
    if (name.trim() === '') issue(['query', index, 'name'], 'Name the parameter')
  })
  for (const of of ['query', 'headers'] as const)
    values[of].forEach(({ value }, index) => {
      if (value.length > TOOL_PART_MAX) issue([of, index, 'value'], tooLong(TOOL_PART_MAX))
    })
  const { method, bodyType, body } = values
  if (method !== 'GET' && bodyType === 'json' && body.trim() === '')
    issue(['body'], 'Write what is sent, or choose None')
  for (const { path, message } of faultsOf(stepToolOf(values))) issue(toolFieldOf(path).split('.'), message)
}

export const stepToolOf = (values: z.output<typeof calling>): StepTool => toolOf(values)

/** What is there of it already, for the checks while it is filled in; whatever else the form has stays out. */
export function readyToolOf(values: ToolInput): StepTool {
  const { answer, ...input } = tool.parse(values)
  const schema = 'schema' in answer ? answer.schema : undefined
  return toolOf({ ...input, answer: { as: answer.type, ...(schema && { schema }) } })
}

export const ANSWER_LABEL = 'What comes back'

const showAnswer = ({ answer }: ToolInput): string => (isAnyJson(answer) ? 'JSON' : showOutput(answer))
const showPart = ({ name, value }: PartInput): string => `${name}: ${value}`
export const BODY_TEXTS = { none: 'None', json: 'JSON', text: 'Text', form: 'Form' } as const

export const toolRows = {
  method: { label: 'Method', show: ({ method }) => method },
  address: { label: 'Address', show: ({ address }) => address },
  query: { label: 'Query', show: ({ query }) => query.map(showPart).join('\n') },
  headers: { label: 'Headers', show: ({ headers }) => headers.map(showPart).join('\n') },
  bodyType: { label: 'Kind of body', show: ({ bodyType }) => BODY_TEXTS[bodyType] },
  body: { label: 'Body', show: ({ body }) => body },
  answer: { label: ANSWER_LABEL, show: showAnswer },
  safeToRepeat: { label: 'Safe to repeat', show: ({ safeToRepeat }) => (safeToRepeat ? 'Yes' : 'No') },
} as const satisfies ConflictRows<ToolInput>

/** A step that calls nothing shows nothing. */
const ofStored = ({ label, show }: { label: string; show: (input: ToolInput) => string }) => ({
  label,
  show: (stored: StoredTool): string => (stored.tool ? show(toolInputOf(stored)) : ''),
})

interface ToolSides {
  before: StoredTool
  after: StoredTool
}

/** What of two versions of a step differs in a word or a sentence. */
export function toolChanges(sides: ToolSides): FieldChange[] {
  const { method, address, query, headers, bodyType, answer, safeToRepeat } = toolRows
  return changesOf(sides, [method, address, query, headers, bodyType, answer, safeToRepeat].map(ofStored))
}

/** The same of its body. */
export function toolTextChanges(sides: ToolSides): FieldChange[] {
  return changesOf(sides, [toolRows.body].map(ofStored))
}

export function toolTextsWith(
  { address, query, headers, body }: ToolInput,
  change: (text: string) => string,
): Pick<ToolInput, 'address' | 'query' | 'headers' | 'body'> {
  const changed = (part: PartInput): PartInput => ({ ...part, value: change(part.value) })
  return {
    address: change(address),
    query: query.map(changed),
    headers: headers.map(changed),
    body: change(body),
  }
}

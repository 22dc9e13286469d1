import {
  BODY_TYPES,
  HTTP_METHODS,
  type HttpTool,
  headerName,
  isSealed,
  SEALED_VALUE_MAX,
  TOOL_ADDRESS_MAX,
  TOOL_BODY_MAX,
  TOOL_PART_MAX,
  type ToolPart,
  type WrittenHttpTool,
} from '@catenary/contracts'
import { findSealedFault, findToolFault, SEALED_MARK, splitSealed } from '@catenary/domain'
import * as z from 'zod'
import type { ConflictRows } from '../../../../../components/forms/conflict-rows.ts'
import { newId } from '../../../../../lib/new-id.ts'
import { outputForm, showOutput } from '../../../../model-settings/output/output-form.ts'
import { type OutputInput, outputInput } from '../../../../model-settings/output/output-value.ts'
import { tooLong } from '../../flow/flow-form.ts'
import { rowsOfType, type StoredTool } from '../stored-tool.ts'

const partInput = z.object({
  /** What it is known by in the form. */
  key: z.string(),
  name: z.string(),
  /** Of one that is sealed, what takes the place of its value; empty: that stays. */
  value: z.string(),
  isSealed: z.boolean().default(false),
  /** Its value is asked for, though it may have one. */
  isReplaced: z.boolean().default(false),
})
export type PartInput = z.output<typeof partInput>

/** As the API takes it. */
export const PART_NAME_MAX = 200

export const newPart = (): PartInput => ({
  key: newId(),
  name: '',
  value: '',
  isSealed: false,
  isReplaced: false,
})

/** Of an address that nobody reads: where it leads, if it is sealed already; null: it is read. */
const addressSeal = z.object({ origin: z.string(), isReplaced: z.boolean() }).nullable()

/** What a step calls, while it is being filled in. */
export const httpInput = {
  method: z.enum(HTTP_METHODS).default('POST'),
  address: z.string().default(''),
  addressSeal: addressSeal.default(null),
  query: z.array(partInput).default([]),
  headers: z.array(partInput).default([]),
  bodyType: z.enum(BODY_TYPES).default('json'),
  body: z.string().default(''),
  answer: outputInput,
  safeToRepeat: z.boolean().default(false),
}
const http = z.object(httpInput)
type HttpInput = z.output<typeof http>

export function httpInputOf({ tool: stored }: StoredTool): HttpInput {
  if (stored?.type !== 'http') return http.parse({})
  const { method, url, query, headers, body, answer, safeToRepeat } = stored
  return {
    method,
    ...addressOf(url),
    query: query.map(partOf),
    headers: headers.map(partOf),
    bodyType: body.type,
    body: body.content,
    answer: answerInputOf(answer),
    safeToRepeat,
  }
}

const addressOf = (url: HttpTool['url']) => ({
  address: isSealed(url) ? '' : url,
  addressSeal: isSealed(url) ? { origin: url.origin, isReplaced: false } : null,
})

const partOf = (part: ToolPart, index: number): PartInput => ({
  key: `${index}`,
  name: part.name,
  value: isSealed(part) ? '' : part.value,
  isSealed: isSealed(part),
  isReplaced: false,
})

/** JSON of which nothing is said. */
const ANY_JSON: OutputInput = { type: 'json', unfinished: [] }

const isAnyJson = (input: OutputInput): boolean =>
  'unfinished' in input &&
  (typeof input.unfinished === 'string' ? input.unfinished.trim() === '' : input.unfinished.every(isBlankRow))

const isBlankRow = ({ name, description }: { name: string; description: string }): boolean =>
  name.trim() === '' && description.trim() === ''

const answerInputOf = ({ as, schema }: HttpTool['answer']): OutputInput =>
  as === 'text' ? { type: 'text' } : schema ? { type: 'json', schema } : ANY_JSON

const sentPart = ({ name, value, isSealed }: PartInput): WrittenHttpTool['headers'][number] =>
  isSealed
    ? { name: name.trim(), sealed: true, ...(value.trim() !== '' && { value: value.trim() }) }
    : { name: name.trim(), value }

type AddressInput = Pick<HttpInput, 'address' | 'addressSeal'>

function sentAddress({ address, addressSeal }: AddressInput): WrittenHttpTool['url'] {
  const value = address.trim()
  if (addressSeal === null) return value
  return value === '' ? { sealed: true, origin: addressSeal.origin } : { sealed: true, value }
}

function toolOf(values: Omit<HttpInput, 'answer'> & { answer: HttpTool['answer'] }): WrittenHttpTool {
  const { method, query, headers, bodyType, body } = values
  const hasBody = method !== 'GET' && bodyType !== 'none'
  return {
    type: 'http',
    method,
    url: sentAddress(values),
    query: query.map(sentPart),
    headers: headers.map(sentPart),
    body: hasBody ? { type: bodyType, content: body } : { type: 'none', content: '' },
    answer: values.answer,
    safeToRepeat: values.safeToRepeat,
  }
}

/** As it is kept: without what is sealed of it. */
const keptTool = (written: WrittenHttpTool): HttpTool => splitSealed(written).tool as HttpTool

/** As it may be saved. */
export const httpForm = {
  method: httpInput.method.unwrap(),
  address: z.string().max(TOOL_ADDRESS_MAX, tooLong(TOOL_ADDRESS_MAX)),
  addressSeal,
  query: z.array(partInput),
  headers: z.array(partInput),
  bodyType: httpInput.bodyType.unwrap(),
  body: z.string().max(TOOL_BODY_MAX, tooLong(TOOL_BODY_MAX)),
  answer: httpInput.answer.unwrap().transform((value, context): HttpTool['answer'] => {
    if (isAnyJson(value)) return { as: 'json' }
    const read = outputForm.safeParse(value)
    if (read.data)
      return read.data.type === 'text' ? { as: 'text' } : { as: 'json', schema: read.data.schema }
    for (const { message } of read.error?.issues ?? []) context.addIssue({ code: 'custom', message })
    return z.NEVER
  }),
  safeToRepeat: z.boolean(),
}
const calling = z.object(httpForm)

/** A field of the form for one of the request, as the server and the checks name it. */
export function httpFieldOf(path: string): string {
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
} satisfies Partial<HttpTool>

/** What is at fault in each of its parts. */
function faultsOf(called: HttpTool) {
  const { url, query, headers, body } = called
  const syntax = { outputs: true, jsonOutputs: { has: () => true } }
  return [{ url }, { query }, { headers }, { body }].flatMap(
    (part) => findToolFault({ ...called, ...HARMLESS, ...part }, syntax) ?? [],
  )
}

/** What is wrong with several fields together. */
export function checkHttp(values: z.output<typeof calling>, context: z.RefinementCtx): void {
  const issue = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const { address, addressSeal } = values
  if (address.trim() === '' && !addressSeal?.origin) issue(['address'], 'Write the address')
  if (addressSeal && address.trim() !== '') {
    const fault = findSealedFault('url', address.trim())
    if (fault !== undefined) issue(['address'], fault)
  }
  values.headers.forEach(({ name }, index) => {
    const problem = headerName.safeParse(name.trim()).error?.issues[0]
    if (problem) issue(['headers', index, 'name'], problem.message)
  })
  values.query.forEach(({ name }, index) => {
    if (name.trim() === '') issue(['query', index, 'name'], 'Name the parameter')
  })
  for (const of of ['query', 'headers'] as const)
    values[of].forEach((part, index) => {
      const problem = valueProblem(part, of)
      if (problem !== undefined) issue([of, index, 'value'], problem)
    })
  const { method, bodyType, body } = values
  if (method !== 'GET' && bodyType === 'json' && body.trim() === '')
    issue(['body'], 'Write what is sent, or choose None')
  for (const { path, message } of faultsOf(keptTool(httpToolOf(values))))
    issue(httpFieldOf(path).split('.'), message)
}

function valueProblem({ name, value, isSealed }: PartInput, of: 'query' | 'headers'): string | undefined {
  const most = isSealed ? SEALED_VALUE_MAX : TOOL_PART_MAX
  if (value.length > most) return tooLong(most)
  if (!isSealed || value.trim() === '') return undefined
  return findSealedFault(of === 'headers' ? `header:${name}` : `query:${name}`, value.trim())
}

export const httpToolOf = (values: z.output<typeof calling>): WrittenHttpTool => toolOf(values)

/** What is there of it already, for the checks while it is filled in; whatever else the form has stays out. */
export function readyHttpOf(values: HttpInput): HttpTool {
  const { answer, ...input } = http.parse(values)
  const schema = 'schema' in answer ? answer.schema : undefined
  return keptTool(toolOf({ ...input, answer: { as: answer.type, ...(schema && { schema }) } }))
}

export const ANSWER_LABEL = 'What comes back'

const showAnswer = ({ answer }: HttpInput): string => (isAnyJson(answer) ? 'JSON' : showOutput(answer))
const showPart = ({ name, value, isSealed }: PartInput): string =>
  `${name}: ${isSealed ? SEALED_MARK : value}`
const showAddress = ({ address, addressSeal }: AddressInput): string =>
  addressSeal ? `${addressSeal.origin}/${SEALED_MARK}` : address
export const BODY_TEXTS = { none: 'None', json: 'JSON', text: 'Text', form: 'Form' } as const

export const httpRows = {
  method: { label: 'Method', show: ({ method }) => method },
  address: { label: 'Address', show: showAddress },
  addressSeal: { label: 'Sealed address', show: ({ addressSeal }) => (addressSeal ? 'Yes' : '') },
  query: { label: 'Query', show: ({ query }) => query.map(showPart).join('\n') },
  headers: { label: 'Headers', show: ({ headers }) => headers.map(showPart).join('\n') },
  bodyType: { label: 'Kind of body', show: ({ bodyType }) => BODY_TEXTS[bodyType] },
  body: { label: 'Body', show: ({ body }) => body },
  answer: { label: ANSWER_LABEL, show: showAnswer },
  safeToRepeat: { label: 'Safe to repeat', show: ({ safeToRepeat }) => (safeToRepeat ? 'Yes' : 'No') },
} as const satisfies ConflictRows<HttpInput>

const { body, ...others } = httpRows
const ofHttp = rowsOfType('http', httpInputOf)

/** What of two versions of a step differs in a word or a sentence. */
export const httpChanges = ofHttp(Object.values(others))

/** The same of its body. */
export const httpTextChanges = ofHttp([body])

export function httpTextsWith(
  { address, addressSeal, query, headers, body }: HttpInput,
  change: (text: string) => string,
): Pick<HttpInput, 'address' | 'query' | 'headers' | 'body'> {
  const changed = (part: PartInput): PartInput =>
    part.isSealed ? part : { ...part, value: change(part.value) }
  return {
    address: addressSeal ? address : change(address),
    query: query.map(changed),
    headers: headers.map(changed),
    body: change(body),
  }
}

/** What may be kept on this device. */
export function httpDraftOf({ address, addressSeal, query, headers }: HttpInput) {
  const kept = (part: PartInput): PartInput => (part.isSealed ? { ...part, value: '' } : part)
  return {
    address: addressSeal ? '' : address,
    query: query.map(kept),
    headers: headers.map(kept),
  }
}

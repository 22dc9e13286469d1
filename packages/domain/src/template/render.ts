import { CHAIN_INPUT } from '@catenary/contracts'
import { type PathStep, writePath } from '../answer-schema/paths.ts'
import { type JsonText, readJsonText, sayJson } from '../json/json-at.ts'
import { isJson } from '../json/json-tokens.ts'
import { type ReferenceKind, type ReferenceToken, tokenizeTemplate } from './tokenize.ts'

/** Values by exact name; a record is read by its own properties only. */
export type TemplateValues = ReadonlyMap<string, string> | Readonly<Record<string, string>>

/** Outputs that are JSON, with what they are, as in 'the answer of step 2'. */
export type JsonOutputs = ReadonlyMap<string, string>

/** A piece of the rendered text and the reference whose value it is; null for what stood in the template. */
export interface RenderedSegment {
  text: string
  from: { kind: ReferenceKind; name: string } | null
}

export interface RenderedTemplate {
  text: string
  segments: RenderedSegment[]
  /** Length of what stands before the first reference: the same in each rendering of the source. */
  fixedLength: number
}

/** What a reference stands for: its text, and that as JSON digit by digit, where it is JSON. */
export interface ReferenceValue {
  text: string
  json?: string | undefined
}

/** References would make the text longer than allowed. */
export class TemplateTooLongError extends RangeError {}

/** A reference takes a field of an answer that has no such field. */
export class MissingFieldError extends Error {}

/**
 * Replaces references by their values in one pass; a reference without a value stays as written.
 * Throws `TemplateTooLongError` before it holds more than `maxLength` characters, and `MissingFieldError` for a path
 * that is not there, or null.
 */
export function renderTemplate({
  source,
  variables,
  outputs,
  jsonOutputs,
  maxLength = Number.POSITIVE_INFINITY,
}: {
  source: string
  variables: TemplateValues
  outputs?: TemplateValues
  jsonOutputs?: JsonOutputs | undefined
  maxLength?: number
}): RenderedTemplate {
  const tokens = tokenizeTemplate(source, { outputs: outputs !== undefined, jsonOutputs })
  const read = readerOf({ variables, outputs, jsonOutputs })
  const segments = tokens.map((token): RenderedSegment => {
    const value = token.kind === 'text' ? undefined : read(token)
    return value === undefined || token.kind === 'text'
      ? { text: token.raw, from: null }
      : { text: value.text, from: originOf(token) }
  })
  const length = segments.reduce((sum, { text }) => sum + text.length, 0)
  if (length > maxLength) {
    const most = maxLength.toLocaleString('en')
    throw new TemplateTooLongError(
      `With its references filled in, the text is longer than ${most} characters`,
    )
  }
  const [first] = tokens
  const fixedLength = first?.kind === 'text' ? first.raw.length : 0
  return { text: segments.map((segment) => segment.text).join(''), segments, fixedLength }
}

/** As the history names it, with the field that it takes. */
export const originOf = ({ kind, name, path, raw }: ReferenceToken): RenderedSegment['from'] => ({
  kind,
  name: path === undefined ? name : raw.slice(2, -2),
})

interface Values {
  variables: TemplateValues
  outputs?: TemplateValues | undefined
  jsonOutputs?: JsonOutputs | undefined
}

/** What references of one text stand for; undefined: they have no value. Throws `MissingFieldError`. */
export function readerOf({
  variables,
  outputs,
  jsonOutputs,
}: Values): (token: ReferenceToken) => ReferenceValue | undefined {
  const parsed = new Map<string, JsonText | undefined>()
  return ({ kind, name, path, raw }) => {
    const value = findValue(kind === 'variable' ? variables : outputs, name)
    const hasFields = kind === 'output' && jsonOutputs?.has(name) === true
    // Each field of a step that was skipped is empty, as its output is (D82).
    if (value === undefined || value === '' || !hasFields)
      return value === undefined ? undefined : { text: value }
    if (path === undefined)
      return { text: value, json: name === CHAIN_INPUT.lastMessage ? jsonOfInput(value) : value }
    if (!parsed.has(name)) parsed.set(name, readJsonText(value))
    const json = fieldOf({ json: parsed.get(name), path, raw, maker: jsonOutputs?.get(name) })
    return { text: sayJson(json), json }
  }
}

/** A run may be given anything: only an object or a list is taken for JSON, and a number for a text. */
const jsonOfInput = (text: string): string | undefined =>
  /^\s*[{[]/.test(text) && isJson(text) ? text : undefined

/** The JSON that stands there, digit by digit (D70). */
function fieldOf({
  json,
  path,
  raw,
  maker,
}: {
  json: JsonText | undefined
  path: PathStep[]
  raw: string
  maker: string | undefined
}): string {
  const found = json?.at(path)
  if (found === undefined || found === 'null') {
    throw new MissingFieldError(`${raw} has no value: ${maker} has no ${writePath(path)}`)
  }
  return found
}

function findValue(values: TemplateValues | undefined, name: string): string | undefined {
  if (values === undefined) return undefined
  if (isMap(values)) return values.get(name)
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function isMap(values: TemplateValues): values is ReadonlyMap<string, string> {
  return values instanceof Map
}

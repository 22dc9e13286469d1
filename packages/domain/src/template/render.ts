import { type PathStep, writePath } from '../answer-schema/paths.ts'
import { type JsonText, readJsonText, sayJson } from '../json/json-at.ts'
import { type ReferenceKind, tokenizeTemplate } from './tokenize.ts'

/** Values by exact name; a record is read by its own properties only. */
export type TemplateValues = ReadonlyMap<string, string> | Readonly<Record<string, string>>

/** Outputs that are JSON by a schema, with what makes them, as in 'step 2'. */
export type JsonOutputs = ReadonlyMap<string, string>

/** A piece of the rendered text and the reference whose value it is; null for what stood in the template. */
interface RenderedSegment {
  text: string
  from: { kind: ReferenceKind; name: string } | null
}

export interface RenderedTemplate {
  text: string
  segments: RenderedSegment[]
  /** Length of what stands before the first reference: the same in each rendering of the source. */
  fixedLength: number
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
  const parsed = new Map<string, JsonText | undefined>()
  const segments = tokens.map((token): RenderedSegment => {
    if (token.kind === 'text') return { text: token.raw, from: null }
    const { kind, name, path } = token
    const value = findValue(kind === 'variable' ? variables : outputs, name)
    if (value === undefined) return { text: token.raw, from: null }
    // Each field of a step that was skipped is empty, as its output is (D82).
    if (path === undefined || value === '') return { text: value, from: { kind, name } }
    if (!parsed.has(name)) parsed.set(name, readJsonText(value))
    const text = fieldOf({ json: parsed.get(name), path, raw: token.raw, maker: jsonOutputs?.get(name) })
    return { text, from: { kind, name: token.raw.slice(2, -2) } }
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

/** A text as it is, anything else as the JSON that stands there, digit by digit (D70). */
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
    throw new MissingFieldError(`${raw} has no value: the answer of ${maker} has no ${writePath(path)}`)
  }
  return sayJson(found)
}

function findValue(values: TemplateValues | undefined, name: string): string | undefined {
  if (values === undefined) return undefined
  if (isMap(values)) return values.get(name)
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function isMap(values: TemplateValues): values is ReadonlyMap<string, string> {
  return values instanceof Map
}

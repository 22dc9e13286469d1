import type { StructuredAnswer } from '@catenary/contracts'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { type PathStep, writePath } from './paths.ts'
import { isSchema, type JsonSchema } from './schema-node.ts'
import { schemaToCheck } from './vendors.ts'

type AnswerError = StructuredAnswer['errors'][number]
type Repair = StructuredAnswer['repairs'][number]

const ERRORS_MAX = 20
const SHOWN_MAX = 60
const BEFORE_MAX = 200

export interface AnswerTask {
  schema: JsonSchema
  /** A caller's own, whatever it is. */
  callerSchema?: JsonSchema | undefined
  text: string
  before?: string | undefined
}

export interface AnswerCheck {
  /** As it is kept: out of its code fence, and of the words around it. */
  text: string
  errors: AnswerError[]
  isCallers?: true | undefined
  repairs: Repair[]
}

/** For the bounded process: schema and answer are strangers'. */
export function checkAnswer({ schema, callerSchema, text, before }: AnswerTask): AnswerCheck {
  const read = findAnswer(text)
  if (read === undefined)
    return { text, errors: [{ path: '', message: 'The answer is not JSON' }], repairs: [] }
  const own = errorsBy(schemaToCheck(schema), read.value)
  const callers = own.length > 0 || callerSchema === undefined ? [] : errorsBy(callerSchema, read.value)
  const errors = [...own, ...callers]
  const earlier = before === undefined ? undefined : findAnswer(before)
  const repairs = earlier === undefined ? [] : [...changesOf(earlier.value, read.value, [])]
  return {
    text: read.text,
    errors: errors.slice(0, ERRORS_MAX),
    ...(callers.length > 0 && { isCallers: true }),
    repairs: repairs.slice(0, ERRORS_MAX),
  }
}

function errorsBy(schema: JsonSchema, value: unknown): AnswerError[] {
  const { $schema: _, ...dialectless } = schema
  // Without `ownProperties` an optional field named like one of JavaScript's own counts as present.
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, logger: false, ownProperties: true })
  addFormats.default(ajv)
  try {
    const validate = ajv.compile(dialectless)
    if (validate(value) === true) return []
    return (validate.errors ?? []).slice(0, ERRORS_MAX).map(inWords)
  } catch (error) {
    return [{ path: '', message: `The schema can’t be checked: ${(error as Error).message}` }]
  }
}

const TYPE_WORDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of fields',
}

/** One of the validator's errors as a person reads it: 'reply_by is not a date: “soon”'. */
function inWords({ keyword, instancePath, params, data, message = '' }: ErrorObject): AnswerError {
  const steps = stepsOf(instancePath)
  const extra = keyword === 'additionalProperties' ? params.additionalProperty : params.missingProperty
  const at = typeof extra === 'string' ? [...steps, extra] : steps
  const path = clip(writePath(at), BEFORE_MAX)
  const name = path === '' ? 'The answer' : path
  const said = SAID[keyword]?.({ params, data }) ?? `: ${message}`
  return { path, message: `${name}${said}` }
}

const SAID: Record<string, (error: { params: Record<string, unknown>; data?: unknown }) => string> = {
  required: () => ' is missing',
  additionalProperties: () => ' is not a field of the schema',
  type: ({ params, data }) => ` is ${show(data)}, not ${typeWords(params.type)}`,
  enum: ({ params, data }) => ` is ${show(data)}, not one of ${listed(params.allowedValues)}`,
  format: ({ params, data }) => ` is not a ${params.format}: ${show(data)}`,
  minimum: ({ params, data }) => ` is ${show(data)}, below ${params.limit}`,
  maximum: ({ params, data }) => ` is ${show(data)}, above ${params.limit}`,
  pattern: ({ data }) => ` does not match its pattern: ${show(data)}`,
  minItems: ({ params }) => ` has fewer than ${params.limit} entries`,
  maxItems: ({ params }) => ` has more than ${params.limit} entries`,
  minLength: ({ params }) => ` has fewer than ${params.limit} characters`,
  maxLength: ({ params }) => ` has more than ${params.limit} characters`,
}

function typeWords(type: unknown): string {
  const names = [type].flat().filter((name) => name !== 'null')
  return names.map((name) => TYPE_WORDS[String(name)] ?? String(name)).join(' or ')
}

function listed(values: unknown): string {
  return clip(
    [values]
      .flat()
      .filter((value) => value !== null)
      .map(String)
      .join(', '),
    BEFORE_MAX,
  )
}

function show(value: unknown): string {
  if (typeof value === 'string') return `“${clip(value, SHOWN_MAX)}”`
  if (Array.isArray(value)) return 'a list'
  return isSchema(value) ? 'a group of fields' : String(value)
}

const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

/** A JSON pointer's steps; digits are taken for an index. */
function stepsOf(pointer: string): PathStep[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')))
}

function* changesOf(before: unknown, after: unknown, path: PathStep[]): Generator<Repair> {
  if (before === after) return
  if (isSchema(before) && isSchema(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [before, after].map((each) => (Object.hasOwn(each, name) ? each[name] : undefined))
      yield* changesOf(was, is, [...path, name])
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      yield* changesOf(before[index], after[index], [...path, index])
    }
  } else {
    const was = typeof before === 'string' ? before : JSON.stringify(before)
    yield {
      path: clip(writePath(path), BEFORE_MAX),
      before: was === undefined ? null : clip(was, BEFORE_MAX),
    }
  }
}

const FENCED = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```\s*$/
/** Braces, and the texts in which they mean nothing; a text ends in its line, as words may have a single quote mark. */
const MARKS = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[{}]/g

interface FoundAnswer {
  value: unknown
  text: string
}

/** The JSON that a text is, or that stands in it: in a fence, or as its one object among other words; undefined: none. */
function findAnswer(text: string): FoundAnswer | undefined {
  return read(text) ?? read(FENCED.exec(text)?.[1]) ?? findOneObject(text)
}

/** With two objects nobody knows which is the answer. */
function findOneObject(text: string): FoundAnswer | undefined {
  const found = objectsIn(text).flatMap(({ start, end }) => read(text.slice(start, end)) ?? [])
  return found.length === 1 ? found[0] : undefined
}

interface Span {
  start: number
  end: number
}

/** The outermost balanced braces of a text. Linear, whatever it is. */
function objectsIn(text: string): Span[] {
  const spans: Span[] = []
  const open: number[] = []
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === '{') open.push(index)
    else if (mark === '}') {
      const start = open.pop()
      if (start === undefined) continue
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop()
      spans.push({ start, end: index + 1 })
    }
  }
  return spans
}

function read(source: string | undefined): FoundAnswer | undefined {
  if (source === undefined) return undefined
  try {
    return { value: JSON.parse(source), text: source }
  } catch {
    return undefined
  }
}

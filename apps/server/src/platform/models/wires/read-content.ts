import { UnknownFormError } from '../provider-error.ts'
import type { Answer } from './wire.ts'

/** PostgreSQL's text holds no such character. */
const NUL = /\0/g

const TEXTS = new Set(['text', 'output_text', 'input_text', 'text_delta'])
const BESIDE =
  /think|reasoning|thought|^summary_text|signature|reference|citation|annotation|^(server_)?tool|tool_result$|_call(_output)?$|^function_call|^input_json|^mcp_|^container_upload|^compaction/
/** In these some API, of whatever vendor, has what its model wrote. */
const CARRIERS = [
  'content',
  'text',
  'delta',
  'parts',
  'part',
  'message',
  'output',
  'output_text',
  'generated_text',
  'completion',
  'response',
  'answer',
  'result',
  'value',
  'transcript',
  'data',
  'b64_json',
  'url',
  'source',
  'image',
  'images',
  'image_url',
  'audio',
  'video',
  'file',
  'file_data',
  'fileData',
  'inlineData',
]
const DEPTH_MAX = 6

/** The text of a content: a text itself, or parts. Throws `UnknownFormError` for what carries an answer in another form. */
export function readContent(content: unknown, answer: Answer): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content.replace(NUL, '\uFFFD')
  if (Array.isArray(content)) return content.map((part) => readPart(part, answer)).join('')
  if (typeof content === 'object') return readPart(content, answer)
  throw new UnknownFormError(`a content that is a ${typeof content}`)
}

function readPart(part: unknown, answer: Answer): string {
  if (typeof part === 'string') return readContent(part, answer)
  const { type = 'text', text, refusal } = Object(part) as Record<string, unknown>
  if (type === 'refusal') {
    answer.refused = true
    return readText(refusal)
  }
  if (TEXTS.has(String(type)) && text !== undefined) return readText(text)
  if (BESIDE.test(String(type))) return ''
  const at = carrierIn(part)
  if (at !== undefined) throw new UnknownFormError(`a part of the type “${String(type)}” with “${at}”`)
  return ''
}

export function readText(text: unknown): string {
  if (text === undefined || text === null) return ''
  if (typeof text === 'string') return text.replace(NUL, '\uFFFD')
  const { value } = Object(text) as Record<string, unknown>
  if (typeof value === 'string') return value.replace(NUL, '\uFFFD')
  throw new UnknownFormError(`a text that is ${Array.isArray(text) ? 'a list' : `a ${typeof text}`}`)
}

/** Where a value that is not known carries what a model may have written, as in `message.content`; undefined: nowhere. */
export function carrierIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) {
    const at = value.findIndex((each) => isText(each) || carrierIn(each, depth + 1) !== undefined)
    if (at < 0) return undefined
    const inner = carrierIn(value[at], depth + 1)
    return inner === undefined ? `${at}` : `${at}.${inner}`
  }
  for (const name of CARRIERS) {
    const held: unknown = (value as Record<string, unknown>)[name]
    if (isText(held)) return name
    const inner = carrierIn(held, depth + 1)
    if (inner !== undefined) return `${name}.${inner}`
  }
  return undefined
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

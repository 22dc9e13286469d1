import { DEPTH_MAX, TooMuchError } from './reader-bounds.ts'

export type JsonNode =
  | { kind: 'text' | 'number' | 'boolean' | 'null'; value: string }
  | { kind: 'list'; items: JsonNode[] }
  | { kind: 'object'; entries: JsonEntry[] }
interface JsonEntry {
  name: string
  node: JsonNode
}
type Container = Extract<JsonNode, { kind: 'list' | 'object' }>

export class JsonProblem extends Error {
  readonly offset: number

  constructor(reason: string, offset: number) {
    super(reason)
    this.name = 'JsonProblem'
    this.offset = offset
  }
}

const SPACE = /[ \t\n\r]*/y
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON's strings have none as they are.
  /[{}[\]:,]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

const HERE = 'belongs here'
const REASONS = {
  value: `a value ${HERE}`,
  name: `a name in double quotes ${HERE}`,
  colon: `a colon ${HERE}`,
}
type Expected = keyof typeof REASONS | 'next'

/**
 * Reads a JSON text once, from its beginning, whatever it holds.
 * Throws a `JsonProblem` where it isn't JSON, and a `TooMuchError` for more than `partsMax` values or too deep ones.
 */
export function parseJson(text: string, { partsMax }: { partsMax: number }): JsonNode {
  const open: Container[] = []
  let root: JsonNode | undefined
  let name = ''
  let expected = 'value' as Expected
  let parts = 0
  let at = 0

  const fail = (reason: string): never => {
    throw new JsonProblem(reason, at)
  }
  const put = (node: JsonNode) => {
    parts += 1
    if (parts > partsMax) throw new TooMuchError()
    const around = open.at(-1)
    if (around === undefined) root = node
    else if (around.kind === 'list') around.items.push(node)
    else around.entries.push({ name, node })
    expected = 'next'
    if (node.kind !== 'list' && node.kind !== 'object') return
    open.push(node)
    if (open.length > DEPTH_MAX) throw new TooMuchError()
    expected = node.kind === 'list' ? 'value' : 'name'
  }
  const close = (kind: Container['kind']) => {
    const around = open.at(-1)
    const isEmpty = around?.kind === 'list' ? around.items.length === 0 : around?.entries.length === 0
    // Before the first value, or after one; a comma promises another.
    if (around?.kind !== kind || (expected !== 'next' && !isEmpty)) fail(missing(expected, around))
    open.pop()
    expected = 'next'
  }
  const separate = () => {
    const around = open.at(-1)
    if (expected !== 'next' || around === undefined) fail(missing(expected, around))
    expected = around?.kind === 'list' ? 'value' : 'name'
  }

  for (;;) {
    at = endOf(SPACE, text, at)
    if (at === text.length && root !== undefined && open.length === 0) return root
    const end = endOf(TOKEN, text, at)
    const token = text.slice(at, end)
    if (token === '') fail(at === text.length ? 'it ends unexpectedly' : missing(expected, open.at(-1)))
    const node = nodeOf(token)
    if (token === ',') separate()
    else if (token === '}' || token === ']') close(token === '}' ? 'object' : 'list')
    else if (token === ':' && expected === 'colon') expected = 'value'
    else if (node !== undefined && expected === 'value') put(node)
    else if (node?.kind === 'text' && expected === 'name') {
      name = node.value
      expected = 'colon'
    } else fail(missing(expected, open.at(-1)))
    at = end
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function nodeOf(token: string): JsonNode | undefined {
  const first = token[0] ?? ''
  if (first === '"') return { kind: 'text', value: JSON.parse(token) }
  if (first === '{') return { kind: 'object', entries: [] }
  if (first === '[') return { kind: 'list', items: [] }
  if (first === 'n') return { kind: 'null', value: token }
  if (first === 't' || first === 'f') return { kind: 'boolean', value: token }
  return /[-\d]/.test(first) ? { kind: 'number', value: token } : undefined
}

function missing(expected: Expected, around: Container | undefined): string {
  if (expected !== 'next') return REASONS[expected]
  if (around === undefined) return 'unexpected text after the end'
  return `a comma or ${around.kind === 'list' ? ']' : '}'} ${HERE}`
}

export function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

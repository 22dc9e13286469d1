import { UnknownFormError } from '../provider-error.ts'
import { carrierIn } from './read-content.ts'
import { errorIn } from './vendor-error.ts'
import type { Answer, Wire } from './wire.ts'

/** How a stream of events begins, and how it may once more of it has come. */
const STREAM = /^(data|event|id|retry)?[ \t]*:/
const STREAM_OR_LESS = /^(data|event|id|retry|d(at?)?|e(v(e(nt?)?)?)?|i|r(e(tr?)?)?)$/
/** Of OpenAI's streams, and of servers that put themselves before other vendors' APIs. */
const LAST_EVENT = '[DONE]'
const QUOTED = 160

/** Reads a reply in the form in which it comes, whatever was asked for. */
export interface ReplyReader {
  read(text: string): void
  end(): void
  take(): string
  held(): number
}

export function createReplyReader({ wire, answer }: { wire: Wire; answer: Answer }): ReplyReader {
  const events = createEventReader()
  let form: 'unknown' | 'stream' | 'whole' = 'unknown'
  let whole = ''
  let taken = ''

  function readValue(value: unknown): void {
    const text = wire.read({ value, answer })
    if (text !== undefined) taken += text
    else refuse(value)
  }

  function readEvents(all: string[], isLast = false): void {
    for (const data of all) {
      const said = data.trim()
      if (said === '') continue
      if (said === LAST_EVENT) answer.ended = true
      else for (const value of valuesOf(said, isLast)) readValue(value)
    }
  }

  function readWhole(): void {
    const values = valuesIn(whole)
    for (const value of values) {
      if (Array.isArray(value) && errorIn(value) === undefined) for (const each of value) readValue(each)
      else readValue(value)
    }
    // Several in a row are a stream with other marks between its events.
    if (values.length === 1) answer.ended = true
  }

  return {
    read(text) {
      if (form === 'stream') return readEvents(events.read(text))
      whole += text
      if (form === 'whole') return
      const opening = whole.replace(/^[\s\uFEFF]+/, '')
      if (opening === '' || STREAM_OR_LESS.test(opening)) return
      form = STREAM.test(opening) ? 'stream' : 'whole'
      if (form === 'whole') return
      whole = ''
      readEvents(events.read(opening))
    },
    end() {
      if (form === 'stream') readEvents(events.end(), true)
      else if (whole.trim() !== '') readWhole()
    },
    take() {
      const text = taken
      taken = ''
      return text
    },
    held: () => whole.length + events.held(),
  }
}

function refuse(value: unknown): void {
  const error = errorIn(value)
  if (error !== undefined) throw error
  const at = typeof value === 'string' ? 'a bare text' : carrierIn(value)
  if (at === undefined) return
  const { type } = Object(value) as { type?: unknown }
  const named = typeof type === 'string' ? `“${type}” with ` : ''
  throw new UnknownFormError(typeof value === 'string' ? at : `${named}“${at}”`)
}

/** An event's value; of those who forget the empty line between events, several. The last may have broken off. */
function valuesOf(data: string, isLast: boolean): unknown[] {
  try {
    return [JSON.parse(data)]
  } catch (error) {
    const lines = data.split('\n')
    if (lines.length > 1) return lines.flatMap((line) => (line === LAST_EVENT ? [] : [JSON.parse(line)]))
    if (isLast) return []
    if (!/^[{["]/.test(data)) throw new UnknownFormError(`“${data.slice(0, QUOTED)}”`)
    throw error
  }
}

/** The values that a text holds one after the other; what follows the last is no part of the answer. */
function valuesIn(text: string): unknown[] {
  const values: unknown[] = []
  let rest = text.replace(/^[\s\uFEFF]+/, '')
  while (rest !== '') {
    const end = endOfValue(rest)
    if (end === undefined && values.length > 0) break
    if (end === undefined && !/^[{["]/.test(rest))
      throw new UnknownFormError(`“${rest.trim().slice(0, QUOTED)}”`)
    values.push(JSON.parse(rest.slice(0, end)))
    rest = end === undefined ? '' : rest.slice(end).trimStart()
  }
  return values
}

function endOfValue(text: string): number | undefined {
  if (!/^[{[]/.test(text)) return undefined
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs
  let depth = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (depth === 0) return index + 1
  }
  return undefined
}

interface EventReader {
  read(text: string): string[]
  /** Gives what stands after the last whole event: some servers leave its end out. */
  end(): string[]
  held(): number
}

/** Reads server-sent events for their data alone: names, ids and comments say nothing more here. */
function createEventReader(): EventReader {
  let line = ''
  let data: string | undefined
  let endedInReturn = false

  function endLine(whole: string, ended: string[]): void {
    if (whole.startsWith('data:')) {
      const value = whole.slice(whole[5] === ' ' ? 6 : 5)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (whole === '' && data !== undefined) {
      ended.push(data)
      data = undefined
    }
  }

  /** A line ends with a line feed, a carriage return, or both, which may come apart. */
  function withLineFeeds(text: string): string {
    const rest = endedInReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endedInReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  function read(piece: string): string[] {
    const text = withLineFeeds(piece)
    const ended: string[] = []
    let from = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      endLine(line + text.slice(from, at), ended)
      line = ''
      from = at + 1
    }
    line += text.slice(from)
    return ended
  }

  return { read, end: () => read('\n\n'), held: () => line.length + (data?.length ?? 0) }
}

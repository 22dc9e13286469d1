import { addressOf, NEXT_CURSOR, TOTAL_COUNT } from '@catenary/contracts'
import * as z from 'zod'
import { type LogLevel, logEvent } from './diagnostics.ts'
import {
  ApiError,
  ConnectionError,
  isNetworkFailure,
  MisunderstoodError,
  RequestTimeoutError,
  replyErrorText,
} from './errors.ts'
import { newId } from './new-id.ts'
import { doubtServer } from './session/server-away.ts'
import { isSessionRestored } from './session/session-end.ts'

const REQUEST_TIMEOUT_MS = 20_000
const WRITE_RETRIES = 1
const RETRY_WAIT_MS = 1000
const RETRY_WAIT_MAX_MS = 5000
/** A 401 on these does not mean an ended session. */
const GUEST_PATHS = new Set([
  addressOf('GET /api/user', {}),
  addressOf('POST /api/login', {}),
  addressOf('POST /api/register', {}),
  addressOf('POST /api/logout', {}),
])

export interface ReadOptions<Schema extends z.ZodType> {
  path: string
  schema: Schema
  signal?: AbortSignal | undefined
}

export interface WriteOptions<Schema extends z.ZodType = z.ZodUnknown> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  schema?: Schema
  signal?: AbortSignal | undefined
  /** One user action is one key; a retry of the same call reuses it. */
  idempotencyKey?: string
}

type StreamSchemas = Record<string, z.ZodType>
type StreamEvent<Schemas extends StreamSchemas> = {
  [Name in keyof Schemas]: { event: Name; data: z.output<Schemas[Name]> }
}[keyof Schemas]

export interface StreamOptions<Schemas extends StreamSchemas> {
  path: string
  body?: unknown
  events: Schemas
  signal?: AbortSignal | undefined
  idempotencyKey?: string
}

export async function read<Schema extends z.ZodType>(
  options: ReadOptions<Schema>,
): Promise<z.output<Schema>> {
  const { path, schema, signal } = options
  const reply = await request({ path, signal, init: { mode: 'cors' } })
  return understand(schema, reply.body ?? reply.text)
}

export interface ListPage<Item> {
  items: Item[]
  total: number | null
  isMore: boolean
  next: string | null
}

/** How many rows of a page are checked: they come from one query, so they are all alike. */
const CHECKED = 50

export async function readPage<Schema extends z.ZodType>({
  path,
  schema,
  cursor,
  signal,
}: ReadOptions<Schema> & { cursor: string | null }): Promise<ListPage<z.output<Schema>>> {
  const query = cursor === null ? '' : `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor })}`
  const { body, headers } = await request({ path: path + query, signal, init: { mode: 'cors' } })
  const items = understand(z.array(z.unknown()), body) as z.output<Schema>[]
  understand(z.array(schema), items.slice(0, CHECKED))
  const total = headers.get(TOTAL_COUNT)
  return {
    items,
    total: total === null ? null : Number.parseInt(total, 10),
    isMore: total?.endsWith('+') ?? false,
    next: headers.get(NEXT_CURSOR),
  }
}

export async function readAll<Schema extends z.ZodType>(
  options: ReadOptions<Schema>,
): Promise<z.output<Schema>[]> {
  const pages: z.output<Schema>[][] = []
  let cursor: string | null = null
  do {
    const page: ListPage<z.output<Schema>> = await readPage({ ...options, cursor })
    pages.push(page.items)
    cursor = page.next
  } while (cursor !== null)
  return pages.flat()
}

/** Sends a write; one retry when it may not have arrived. 204 and an empty reply give undefined, plain text `{ message }`. */
export async function write<Schema extends z.ZodType = z.ZodUnknown>(
  options: WriteOptions<Schema>,
): Promise<z.output<Schema>> {
  const { method, path, body, schema, signal } = options
  const headers = writeHeaders({ body, key: options.idempotencyKey })
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
  for (let retry = 0; ; retry += 1) {
    try {
      const reply = await request({ path, signal, init })
      const value = reply.body ?? (reply.text === '' ? undefined : { message: reply.text })
      return (schema && value !== undefined ? understand(schema, value) : value) as z.output<Schema>
    } catch (error) {
      if (retry >= WRITE_RETRIES || signal?.aborted || !isNetworkFailure(error)) throw error
      await wait(Math.min(RETRY_WAIT_MS * 2 ** retry, RETRY_WAIT_MAX_MS))
    }
  }
}

/** POSTs or GETs and yields the reply's events; the time limit bounds the silence between them. Not retried. */
export async function* stream<Schemas extends StreamSchemas>(
  options: StreamOptions<Schemas>,
): AsyncGenerator<StreamEvent<Schemas>> {
  const { path, body, events, signal } = options
  const accept = 'text/event-stream'
  const headers = { ...writeHeaders({ body, key: options.idempotencyKey }), accept }
  const call: RequestInit =
    body === undefined ? { headers: { accept } } : { method: 'POST', headers, body: JSON.stringify(body) }
  const open = async () => {
    const deadline = startDeadline(signal)
    try {
      const response = await fetch(path, { ...call, credentials: 'include', signal: deadline.signal })
      if (!response.ok || !response.body) await readReply(response)
      return { response, deadline }
    } catch (error) {
      deadline.end()
      throw deadline.explain({ error, path })
    }
  }
  const { response, deadline } = await withSession({ path, call: open })
  try {
    const chunks = response.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()
    for await (const message of parseEventStream({ chunks, onChunk: deadline.extend })) {
      const schema = events[message.event]
      if (!schema) continue
      yield {
        event: message.event,
        data: understand(schema, JSON.parse(message.data)),
      } as StreamEvent<Schemas>
    }
  } catch (error) {
    throw deadline.explain({ error, path })
  } finally {
    deadline.end()
  }
}

/** A validator's own messages are not for people. */
function understand<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(sent)
  if (success) return data
  logEvent('misunderstood', { issues: error.issues.slice(0, 5) }, 'error')
  throw new MisunderstoodError(error)
}

interface Reply {
  body: unknown
  text: string
  headers: Headers
}

interface RequestOptions {
  path: string
  signal?: AbortSignal | undefined
  init: RequestInit
}

function request(options: RequestOptions): Promise<Reply> {
  return withSession({ path: options.path, call: () => requestOnce(options) })
}

/** Repeats a call that was refused because the session had ended, once the same person has logged in. */
async function withSession<Result>({
  path,
  call,
}: {
  path: string
  call: () => Promise<Result>
}): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 401 && !GUEST_PATHS.has(path)
    if (!isOver || !(await isSessionRestored())) throw error
    return call()
  }
}

async function requestOnce({ path, signal, init }: RequestOptions): Promise<Reply> {
  const deadline = startDeadline(signal)
  try {
    const response = await fetch(path, { ...init, credentials: 'include', signal: deadline.signal })
    return await readReply(response)
  } catch (error) {
    throw deadline.explain({ error, path })
  } finally {
    deadline.end()
  }
}

async function readReply(response: Response): Promise<Reply> {
  const text = response.status === 204 ? '' : await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  const body = isJson ? parseJson(text) : undefined
  if (response.ok) return { body, text, headers: response.headers }
  const error = replyErrorText({ body, text, statusText: response.statusText })
  throw new ApiError({ status: response.status, text: error, body })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function writeHeaders({ body, key }: { body: unknown; key: string | undefined }): Record<string, string> {
  const headers: Record<string, string> = { 'idempotency-key': key ?? newId() }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return headers
}

function startDeadline(outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('The request was cancelled.', 'AbortError'))
  const expire = () => controller.abort(new RequestTimeoutError(REQUEST_TIMEOUT_MS))
  let timer = setTimeout(expire, REQUEST_TIMEOUT_MS)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    extend() {
      clearTimeout(timer)
      timer = setTimeout(expire, REQUEST_TIMEOUT_MS)
    },
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
    explain({ error, path }: { error: unknown; path: string }): unknown {
      const reason = controller.signal.aborted ? controller.signal.reason : error
      // Every TypeError of `fetch` and of a reply's body is the network's.
      const cause = reason instanceof TypeError ? new ConnectionError(reason) : reason
      if (cause instanceof ApiError) logEvent('reply', { path, status: cause.status }, levelOf(cause))
      else if (isNetworkFailure(cause)) logEvent('connection', { path, error: String(cause) }, 'warn')
      if (cause instanceof ConnectionError) doubtServer()
      return cause
    },
  }
}

/** A guest's 401 is no problem. */
function levelOf({ status }: ApiError): LogLevel {
  if (status === 401) return 'debug'
  return status >= 500 ? 'error' : 'warn'
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

interface EventMessage {
  event: string
  data: string
}

interface ParseOptions {
  chunks: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Called for every piece that arrives, comments included. */
  onChunk: () => void
}

/** Reads server-sent events from a reply's body; leaving the loop cancels it. */
async function* parseEventStream({ chunks, onChunk }: ParseOptions): AsyncGenerator<EventMessage> {
  const reader = chunks.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onChunk()
      pending += decoder.decode(value, { stream: true })
      const blocks = pending.split(/\r?\n\r?\n/)
      pending = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = parseBlock(block)
        if (message) yield message
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseBlock(block: string): EventMessage | null {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (colon > 0 && line.startsWith('event:')) event = value
    if (colon > 0 && line.startsWith('data:')) data.push(value)
  }
  return data.length === 0 ? null : { event, data: data.join('\n') }
}

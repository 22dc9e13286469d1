import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFakeCache } from './fake-cache.ts'
import type { FakeAnswer, FakeReply, FakeVendor } from './fake-reply.ts'
import { sendReply } from './send-reply.ts'
import { errorBody, modelList, wireOf } from './wires.ts'

/** A request as it arrived, and how it ended. */
interface JournalEntry {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  at: Date
  streamed: boolean
  /** `open` while it is answered; `closed-by-client` when the caller went away first. */
  state: 'open' | 'answered' | 'closed-by-client'
  /** Bytes of the reply so far. */
  readonly bytesSent: number
}

/** What answers when no scripted reply is left. */
type DefaultReply = FakeReply | ((entry: JournalEntry) => FakeReply)

/** A vendor's API on a port of this machine. */
export interface FakeProvider {
  /** For the vendor's base-URL setting. */
  url: string
  /** Every request, oldest first. */
  journal: JournalEntry[]
  /** Appends replies; each request takes one. */
  reply(...replies: FakeReply[]): void
  /** Answers all requests beyond the script. */
  replyByDefault(reply: DefaultReply): void
  /** Forgets journal, script and default. */
  reset(): void
  close(): Promise<void>
}

/** Starts a server that speaks the vendor's real wire, JSON and SSE. */
export async function startFakeProvider({
  vendor,
  port = 0,
  models = ['fake-model'],
}: {
  vendor: FakeVendor
  port?: number
  /** The models that it names; asking for them is not in the journal. */
  models?: string[]
}): Promise<FakeProvider> {
  const journal: JournalEntry[] = []
  const script: FakeReply[] = []
  const cache = createFakeCache()
  let byDefault: DefaultReply = {}
  const fake = {
    journal,
    reply: (...replies: FakeReply[]) => void script.push(...replies),
    replyByDefault: (reply: DefaultReply) => {
      byDefault = reply
    },
    reset: () => {
      journal.length = 0
      script.length = 0
      cache.clear()
      byDefault = {}
    },
  }

  const handle = async ({ request, response }: { request: IncomingMessage; response: ServerResponse }) => {
    const text = await readText(request)
    const path = new URL(request.url ?? '/', 'http://fake').pathname
    if (path.startsWith('/__')) return control({ fake, path, text, response })
    if (request.method === 'GET' && /^\/v1(beta)?\/models$/.test(path)) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(modelList({ vendor, models })))
      return
    }
    const body = parse(text)
    const wire = wireOf({ vendor, path })
    const streamed = body.stream === true || path.endsWith(':streamGenerateContent')
    const { socket } = request
    const writtenBefore = socket.bytesWritten
    const entry: JournalEntry = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      at: new Date(),
      streamed,
      state: 'open',
      get bytesSent() {
        return socket.bytesWritten - writtenBefore
      },
    }
    journal.push(entry)
    response.on('close', () => {
      entry.state = response.writableFinished ? 'answered' : 'closed-by-client'
    })
    if (wire === undefined || request.method !== 'POST') {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(errorBody({ vendor, status: 404, message: `No such path: ${path}` })))
      return
    }
    const reply = script.shift() ?? (typeof byDefault === 'function' ? byDefault(entry) : byDefault)
    const answer = toAnswer({ reply, vendor, path, body, counts: cache.count({ vendor, body }) })
    await sendReply({ response, vendor, wire, reply, streamed: streamed && reply.whole !== true, answer })
  }

  const server = createServer((request, response) => {
    handle({ request, response }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...fake,
    url: vendor === 'openai' ? `${origin}/v1` : origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Control = Pick<FakeProvider, 'journal' | 'reply' | 'replyByDefault' | 'reset'>

/** The same controls over HTTP, for a fake in another process. */
function control({
  fake,
  path,
  text,
  response,
}: {
  fake: Control
  path: string
  text: string
  response: ServerResponse
}): void {
  if (path === '/__reply') fake.reply(...(JSON.parse(text) as FakeReply[]))
  else if (path === '/__default') fake.replyByDefault(JSON.parse(text) as FakeReply)
  else if (path === '/__reset') fake.reset()
  else if (path !== '/__journal') response.statusCode = 404
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(fake.journal))
}

function toAnswer({
  reply,
  vendor,
  path,
  body,
  counts,
}: {
  reply: FakeReply
  vendor: FakeVendor
  path: string
  body: Record<string, unknown>
  counts: ReturnType<ReturnType<typeof createFakeCache>['count']>
}): FakeAnswer {
  const pathModel = /\/models\/([^/:]+):/.exec(path)?.[1]
  const echo = ['Fake ', vendor, ' says: ', lastText(body)]
  const faultOnly = reply.text === undefined && reply.fault !== undefined
  const pieces = faultOnly ? [] : typeof reply.text === 'string' ? [reply.text] : (reply.text ?? echo)
  return {
    pieces,
    modelId: reply.modelId ?? pathModel ?? String(body.model ?? 'fake-model'),
    ...counts,
    inputTokens: reply.inputTokens ?? counts.inputTokens ?? 11,
    cachedTokens: reply.cachedTokens ?? counts.cachedTokens,
    outputTokens: reply.outputTokens ?? 7,
    finish: reply.finish ?? 'stop',
  }
}

/** The last text in the request's messages, in any vendor's form. */
function lastText(body: Record<string, unknown>): string {
  const messages = body.messages ?? body.input ?? body.contents
  let last: unknown = Array.isArray(messages) ? messages.at(-1) : messages
  while (typeof last === 'object' && last !== null) {
    const { content, parts, text } = last as Record<string, unknown>
    const inner: unknown = text ?? content ?? parts
    last = Array.isArray(inner) ? inner.at(-1) : inner
  }
  return typeof last === 'string' ? last : ''
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { unreadable: text }
  }
}

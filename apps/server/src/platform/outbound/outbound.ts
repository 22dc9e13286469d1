import type { Readable } from 'node:stream'
import { Client } from 'undici'
import { createAllowedHosts } from './allowed-hosts.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import { createNameResolver, type ResolveName } from './name-resolver.ts'
import { OutboundError, type OutboundErrorCode } from './outbound-error.ts'
import { checkContentType, readBeginning, readBytes, readText } from './reply-text.ts'
import { readRetryAfter } from './retry-after.ts'

export { OutboundError, type OutboundErrorCode } from './outbound-error.ts'

/** The whole fetch: names, connections, redirects, headers, body. */
const DEADLINE_MS = 10_000
const MAX_REDIRECTS = 3
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

interface OutboundRequest {
  url: string
  /** Sent to the URL's own origin only. */
  headers?: Record<string, string>
  signal?: AbortSignal
}

interface OutboundReply<Body> {
  status: number
  contentType: string
  url: string
  body: Body
}

interface PostReply {
  status: number
  /** Its first 4,000 bytes at most, as text; empty where it is packed. */
  beginning: string
  retryAfterMs: number | undefined
}

type ReadBody<Body> = (reply: {
  body: Readable
  contentType: string
  contentEncoding: string
}) => Promise<Body>

export interface Outbound {
  /** Gets text from a public address. Throws OutboundError for everything else. */
  fetchText(request: OutboundRequest): Promise<Omit<OutboundReply<string>, 'body'> & { text: string }>
  fetchBytes(request: OutboundRequest & { maxBytes: number }): Promise<Buffer>
  /** Posts text to a public address, and follows no redirect. Throws OutboundError where there is no answer. */
  post(request: OutboundRequest & { body: string }): Promise<PostReply>
  close(): Promise<void>
}

interface OutboundOptions {
  allowHosts: string[]
  resolve?: ResolveName
  deadlineMs?: number
}

export function createOutbound({
  allowHosts,
  resolve = createNameResolver(),
  deadlineMs = DEADLINE_MS,
}: OutboundOptions): Outbound {
  const isAllowed = createAllowedHosts(allowHosts)
  const guard: Guard = { resolve, isAllowed }
  const underWay = new Map<AbortController, Promise<unknown>>()

  async function follow<Body>(first: Hop, read: ReadBody<Body>): Promise<OutboundReply<Body>> {
    let hop = first
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await ask(hop, guard, read)
      if (!(answer instanceof URL)) return answer
      // Once away from its origin a caller's header is not sent again.
      hop = {
        ...hop,
        url: answer,
        headers: answer.origin === hop.url.origin ? hop.headers : toRequestHeaders({}),
      }
    }
    throw new OutboundError('too_many_redirects', `The address redirects more than ${MAX_REDIRECTS} times`)
  }

  async function inTime<Result>(
    { url, headers = {}, signal }: OutboundRequest,
    work: (hop: Hop) => Promise<Result>,
  ): Promise<Result> {
    const first = parseUrl(url)
    const controller = new AbortController()
    const end = (code: 'aborted' | 'timeout', message: string) =>
      controller.abort(new OutboundError(code, message))
    const onAbort = () => end('aborted', 'The fetch was stopped')
    const timer = setTimeout(
      () => end('timeout', `The address did not answer within ${deadlineMs / 1000} seconds`),
      deadlineMs,
    )
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    try {
      const reply = work({ url: first, headers: toRequestHeaders(headers), signal: controller.signal })
      underWay.set(controller, reply)
      return await reply
    } catch (error) {
      throw toOutboundError(controller.signal.aborted ? controller.signal.reason : error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      underWay.delete(controller)
    }
  }

  return {
    async fetchText(request) {
      const { body: text, ...reply } = await inTime(request, (hop) =>
        follow(hop, (answer) => {
          checkContentType(answer.contentType)
          return readText(answer)
        }),
      )
      return { ...reply, text }
    },

    async fetchBytes({ maxBytes, ...request }) {
      const { body } = await inTime(request, (hop) =>
        follow(hop, (answer) => readBytes({ ...answer, maxBytes })),
      )
      return body
    },

    post({ body, ...request }) {
      return inTime(request, (hop) =>
        askHop(
          { ...hop, headers: { ...hop.headers, 'accept-encoding': 'identity' }, body },
          guard,
          async (answer) => {
            const isPacked = !/^(identity)?$/i.test(one(answer.headers['content-encoding']).trim())
            return {
              status: answer.status,
              beginning: isPacked ? '' : await readBeginning(answer.body),
              retryAfterMs: readRetryAfter({ value: one(answer.headers['retry-after']), now: Date.now() }),
            }
          },
        ),
      )
    },

    async close() {
      for (const controller of underWay.keys()) {
        controller.abort(
          new OutboundError('aborted', 'The fetch was stopped because the program is stopping'),
        )
      }
      await Promise.allSettled(underWay.values())
    },
  }
}

function ask<Body>(hop: Hop, guard: Guard, read: ReadBody<Body>): Promise<OutboundReply<Body> | URL> {
  return askHop(hop, guard, async ({ status, headers, body }) => {
    const location = one(headers.location)
    if (REDIRECT_STATUSES.has(status) && location !== '') return parseUrl(location, hop.url)
    if (status < 200 || status > 299) {
      throw new OutboundError('bad_status', `The address answered with status ${status}`)
    }
    const contentType = one(headers['content-type'])
    const whole = await read({ body, contentType, contentEncoding: one(headers['content-encoding']) })
    return { status, contentType, url: hop.url.href, body: whole }
  })
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null) throw new OutboundError('invalid_url', 'This is not a valid address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('invalid_url', 'Only http and https addresses can be fetched')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('invalid_url', 'An address must not carry a user name or password')
  }
  return url
}

interface Guard {
  resolve: ResolveName
  isAllowed: ReturnType<typeof createAllowedHosts>
}

interface Hop {
  url: URL
  headers: Record<string, string>
  signal: AbortSignal
  body?: string
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

async function askHop<Result>(
  { url, headers, signal, body: sent }: Hop,
  { resolve, isAllowed }: Guard,
  read: (answer: Answer) => Promise<Result>,
): Promise<Result> {
  const connect = createGuardedConnector({ resolve, isAllowed: isAllowed(url), signal })
  // A client for each hop, without pipelining: no connection outlives the check that it passed.
  const client = new Client(url.origin, { connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 })
  const stop = () => void client.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const path = url.pathname + url.search
    const method = sent === undefined ? 'GET' : 'POST'
    const {
      statusCode: status,
      headers: given,
      body,
    } = await client.request({ method, path, headers, body: sent ?? null })
    // An unread body ends with an error when the client closes.
    body.on('error', () => {})
    return await read({ status, headers: given, body })
  } finally {
    signal.removeEventListener('abort', stop)
    await client.destroy()
  }
}

function one(header: string | string[] | undefined): string {
  return [header].flat()[0] ?? ''
}

/** What frames the message or speaks to the hops between: ours to set, as in a browser. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
])
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const OWN = { accept: '*/*', 'user-agent': 'Catenary', 'accept-encoding': 'gzip, br' }

/** The headers to send: ours and the caller's but for the reserved ones. Throws `blocked` for malformed ones. */
function toRequestHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { ...OWN }
  for (const [name, value] of Object.entries(given)) {
    if (!NAME.test(name) || !VALUE.test(value)) {
      throw new OutboundError('blocked', 'A header has characters that HTTP does not allow')
    }
    const lower = name.toLowerCase()
    if (!RESERVED.has(lower) && !lower.startsWith('proxy-')) headers[lower] = value
  }
  return headers
}

const KNOWN: Record<string, [OutboundErrorCode, string]> = {
  ENOTFOUND: ['unreachable', 'The name of the address could not be found'],
  EAI_AGAIN: ['unreachable', 'The name of the address could not be looked up. Try again.'],
  ECONNREFUSED: ['unreachable', 'The address refused the connection'],
  ECONNRESET: ['unreachable', 'The address cut the connection'],
  EPIPE: ['unreachable', 'The address cut the connection'],
  UND_ERR_SOCKET: ['unreachable', 'The address cut the connection'],
  ETIMEDOUT: ['timeout', 'The address did not accept a connection in time'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'The headers of the answer are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['bad_content', 'The answer’s length doesn’t match its header'],
}
const MALFORMED: [OutboundErrorCode, string] = ['bad_content', 'The address did not answer with valid HTTP']
const UNTRUSTED: [OutboundErrorCode, string] = [
  'unreachable',
  'The certificate of the address is not trusted',
]
const OTHER: [OutboundErrorCode, string] = ['unreachable', 'The address could not be reached']

function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isMalformed = error instanceof Error && error.name === 'HTTPParserError'
  const [ours, message] = KNOWN[code] ?? (isMalformed ? MALFORMED : isUntrusted(code) ? UNTRUSTED : OTHER)
  return new OutboundError(ours, message, { cause: error })
}

function isUntrusted(code: string): boolean {
  return /CERT|ISSUER|SELF_SIGNED/.test(code)
}

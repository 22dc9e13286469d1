import type { Readable } from 'node:stream'
import { Client } from 'undici'
import { createAllowedHosts } from './allowed-hosts.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import { createNameResolver, type ResolveName } from './name-resolver.ts'
import { OutboundError } from './outbound-error.ts'
import { checkContentType, readBytes, readText } from './reply-text.ts'
import { toRequestHeaders } from './request-headers.ts'
import { toOutboundError } from './to-outbound-error.ts'

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

/** A successful (2xx) answer. */
interface OutboundReply<Body> {
  status: number
  contentType: string
  /** Where it ended after redirects. */
  url: string
  body: Body
}

type ReadBody<Body> = (reply: {
  body: Readable
  contentType: string
  contentEncoding: string
}) => Promise<Body>

/** The one way out for URLs that people give. */
export interface Outbound {
  /** Gets text from a public address. Throws OutboundError for everything else. */
  fetchText(request: OutboundRequest): Promise<Omit<OutboundReply<string>, 'body'> & { text: string }>
  /** Gets so many bytes at most, of any type. Throws OutboundError like that one. */
  fetchBytes(request: OutboundRequest & { maxBytes: number }): Promise<Buffer>
  /** Ends the fetches under way. */
  close(): Promise<void>
}

interface OutboundOptions {
  /** Each `host[:port]` that may be private. */
  allowHosts: string[]
  resolve?: ResolveName
  deadlineMs?: number
}

interface Hop<Body> {
  url: URL
  headers: Record<string, string>
  signal: AbortSignal
  read: ReadBody<Body>
}

/** Makes the guard for fetches of URLs that people give. */
export function createOutbound({
  allowHosts,
  resolve = createNameResolver(),
  deadlineMs = DEADLINE_MS,
}: OutboundOptions): Outbound {
  const isAllowed = createAllowedHosts(allowHosts)
  const underWay = new Map<AbortController, Promise<unknown>>()

  async function follow<Body>(first: Hop<Body>): Promise<OutboundReply<Body>> {
    let hop = first
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await ask(hop, { resolve, isAllowed })
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

  /** Within the time that a fetch has. */
  async function fetch<Body>(
    { url, headers = {}, signal }: OutboundRequest,
    read: ReadBody<Body>,
  ): Promise<OutboundReply<Body>> {
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
      const reply = follow({
        url: first,
        headers: toRequestHeaders(headers),
        signal: controller.signal,
        read,
      })
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
      const { body: text, ...reply } = await fetch(request, (answer) => {
        checkContentType(answer.contentType)
        return readText(answer)
      })
      return { ...reply, text }
    },

    async fetchBytes({ maxBytes, ...request }) {
      const { body } = await fetch(request, (answer) => readBytes({ ...answer, maxBytes }))
      return body
    },

    async close() {
      for (const controller of underWay.keys()) {
        controller.abort(new OutboundError('aborted', 'The fetch was stopped: the program ends'))
      }
      await Promise.allSettled(underWay.values())
    },
  }
}

interface Guard {
  resolve: ResolveName
  isAllowed: ReturnType<typeof createAllowedHosts>
}

/** The reply, or where it redirects to. */
async function ask<Body>(
  { url, headers, signal, read }: Hop<Body>,
  { resolve, isAllowed }: Guard,
): Promise<OutboundReply<Body> | URL> {
  const connect = createGuardedConnector({ resolve, isAllowed: isAllowed(url), signal })
  // A client for each hop, without pipelining: no connection outlives the check that it passed.
  const client = new Client(url.origin, { connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 })
  const stop = () => void client.destroy(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const {
      statusCode,
      headers: sent,
      body,
    } = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers,
    })
    // An unread body ends with an error when the client closes.
    body.on('error', () => {})
    const location = one(sent.location)
    if (REDIRECT_STATUSES.has(statusCode) && location !== '') return parseUrl(location, url)
    if (statusCode < 200 || statusCode > 299) {
      throw new OutboundError('bad_status', `The address answered with status ${statusCode}`)
    }
    const contentType = one(sent['content-type'])
    const whole = await read({ body, contentType, contentEncoding: one(sent['content-encoding']) })
    return { status: statusCode, contentType, url: url.href, body: whole }
  } finally {
    signal.removeEventListener('abort', stop)
    await client.destroy()
  }
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

function one(header: string | string[] | undefined): string {
  return [header].flat()[0] ?? ''
}

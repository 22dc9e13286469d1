import type { Readable } from 'node:stream'
import { createAllowedHosts } from './allowed-hosts.ts'
import { askHop, type Guard, type Hop, one, parseUrl, toOutboundError, toRequestHeaders } from './ask-hop.ts'
import { createNameResolver, type ResolveName } from './name-resolver.ts'
import { OutboundError } from './outbound-error.ts'
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

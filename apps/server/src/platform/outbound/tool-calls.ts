import type { Readable } from 'node:stream'
import { createAllowedHosts } from './allowed-hosts.ts'
import { askHop, type Guard, one, parseUrl, toOutboundError, toRequestHeaders } from './ask-hop.ts'
import { createNameResolver, type ResolveName } from './name-resolver.ts'
import { OutboundError, type OutboundErrorCode } from './outbound-error.ts'
import { checkContentType, readText } from './reply-text.ts'
import { readRetryAfter } from './retry-after.ts'

/** Names, connection, request, answer. */
const DEADLINE_MS = 60_000

export interface ToolCall {
  method: string
  url: string
  headers: Record<string, string>
  body: string | null
  signal: AbortSignal
}

export interface ToolReply {
  status: number
  contentType: string
  text: string
  retryAfterMs: number | undefined
}

/** What is known of an answer before all of it is there: more of it would make it no better. */
const UNUSABLE: readonly OutboundErrorCode[] = ['unsupported_type', 'too_large']

/** A call without a whole answer; it may have happened all the same once a connection was there. */
export class ToolCallError extends Error {
  override name = 'ToolCallError'
  readonly mayHaveHappened: boolean

  constructor({
    message,
    mayHaveHappened,
    cause,
  }: { message: string; mayHaveHappened: boolean; cause: unknown }) {
    super(message, { cause })
    this.mayHaveHappened = mayHaveHappened
  }
}

export interface ToolCalls {
  /**
   * Calls a service, whatever its status, and follows no redirect. Throws `ToolCallError` where no answer came or one was
   * cut off, and `OutboundError` for one that is no text of at most 1 MiB.
   */
  call(call: ToolCall): Promise<ToolReply>
  /** Whether a call may go to this address: with a list to its hosts alone, else to every public one by https. */
  mayCall(url: string): boolean
  close(): Promise<void>
}

interface ToolCallOptions {
  /** Empty: public addresses, by https. */
  hosts: string[]
  resolve?: ResolveName
  deadlineMs?: number
}

export function createToolCalls({
  hosts,
  resolve = createNameResolver(),
  deadlineMs = DEADLINE_MS,
}: ToolCallOptions): ToolCalls {
  const isListed = createAllowedHosts(hosts)
  const guard: Guard = { resolve, isAllowed: isListed }
  const underWay = new Map<AbortController, Promise<unknown>>()
  const isAllowed = (url: URL) => (hosts.length === 0 ? url.protocol === 'https:' : isListed(url))

  async function callInTime({ url, method, headers, body, signal }: ToolCall): Promise<ToolReply> {
    const address = parseUrl(url)
    if (!isAllowed(address)) {
      const why =
        hosts.length === 0
          ? 'services are called by https only'
          : 'this host is not on the list of this server'
      throw new OutboundError('blocked', `This address is not allowed: ${why}`)
    }
    const controller = new AbortController()
    const end = (code: 'aborted' | 'timeout', message: string) =>
      controller.abort(new OutboundError(code, message))
    const onAbort = () => end('aborted', 'The call was stopped')
    const timer = setTimeout(
      () => end('timeout', `The service did not answer within ${deadlineMs / 1000} seconds`),
      deadlineMs,
    )
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    let isConnected = false
    let answered: Readable | undefined
    const hop = {
      url: address,
      method,
      headers: toRequestHeaders(headers),
      signal: controller.signal,
      ...(body !== null && { body }),
      onConnected: () => {
        isConnected = true
      },
    }
    try {
      const reply = askHop(hop, guard, async (answer): Promise<ToolReply> => {
        answered = answer.body
        const contentType = one(answer.headers['content-type'])
        if (answer.status !== 204 && answer.status < 300) checkContentType(contentType)
        const contentEncoding = one(answer.headers['content-encoding'])
        return {
          status: answer.status,
          contentType,
          text: await readText({ body: answer.body, contentType, contentEncoding }),
          retryAfterMs: readRetryAfter({ value: one(answer.headers['retry-after']), now: Date.now() }),
        }
      })
      underWay.set(controller, reply)
      return await reply
    } catch (error) {
      const cause = toOutboundError(controller.signal.aborted ? controller.signal.reason : error)
      if (answered && (answered.readableEnded || UNUSABLE.includes(cause.code))) throw cause
      throw new ToolCallError({ message: cause.message, mayHaveHappened: isConnected, cause })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      underWay.delete(controller)
    }
  }

  return {
    call: callInTime,
    mayCall: (url) => {
      const parsed = URL.parse(url)
      return parsed !== null && isAllowed(parsed)
    },
    async close() {
      for (const controller of underWay.keys()) {
        controller.abort(new OutboundError('aborted', 'The call was stopped because the program is stopping'))
      }
      await Promise.allSettled(underWay.values())
    },
  }
}

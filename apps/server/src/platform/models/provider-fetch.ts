import type { ModelAlias } from '@catenary/contracts'
import { Pool } from 'undici'
import { ModelError } from './model-error.ts'
import type { Clock } from './retry.ts'

/** Keeps one connection pool an origin. */
export type ProviderPools = {
  of(origin: string): Pool
  close(): Promise<void>
}

/** Makes the pools that all provider calls share. */
export function createProviderPools(): ProviderPools {
  const pools = new Map<string, Pool>()
  return {
    of(origin) {
      const known = pools.get(origin)
      if (known) return known
      const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0, allowH2: false })
      pools.set(origin, pool)
      return pool
    },
    async close() {
      const closing = [...pools.values()].map((pool) => pool.destroy())
      pools.clear()
      await Promise.all(closing)
    },
  }
}

/** The shape of the platform's own fetch, which the packages expect. */
export type ProviderFetch = typeof globalThis.fetch

type FetchOptions = {
  pools: ProviderPools
  alias: ModelAlias
  clock: Clock
  /** Longest wait for the next bytes. */
  silenceMs: number
  /** Most bytes to hold at once: of a line of an event stream, of any other body. */
  heldBytes: number
}

const NULL_BODY_STATUSES = new Set([204, 205, 304])
const LINE_FEED = 10

/** A fetch for the provider packages: pooled, bounded in silence and memory, following no redirects. */
export function createProviderFetch({
  pools,
  alias,
  clock,
  silenceMs,
  heldBytes,
}: FetchOptions): ProviderFetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const request = new AbortController()
    const stop = () => request.abort(init?.signal?.reason)
    if (init?.signal?.aborted) throw init.signal.reason
    init?.signal?.addEventListener('abort', stop, { once: true })
    const release = () => init?.signal?.removeEventListener('abort', stop)

    const whileWaiting = async <T>(promise: Promise<T>): Promise<T> => {
      const countdown = clock.countDown({
        ms: silenceMs,
        onEnd: () => request.abort(silence({ alias, silenceMs })),
      })
      try {
        return await promise
      } catch (error) {
        release()
        throw request.signal.aborted ? request.signal.reason : error
      } finally {
        countdown.cancel()
      }
    }

    const reply = await whileWaiting(
      pools.of(url.origin).request({
        path: url.pathname + url.search,
        method: init?.method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : null,
        signal: request.signal,
      }),
    )
    const headers = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) {
      if (value !== undefined) headers.set(name, String(value))
    }
    const chunks: AsyncIterator<Uint8Array> = reply.body[Symbol.asyncIterator]()
    const isEventStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
    let held = 0
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await whileWaiting(chunks.next())
          if (done) {
            release()
            controller.close()
            return
          }
          const lineEnd = isEventStream ? value.lastIndexOf(LINE_FEED) : -1
          held = lineEnd < 0 ? held + value.length : value.length - lineEnd - 1
          if (held > heldBytes) {
            const error = tooLong({ alias, bytes: heldBytes })
            request.abort(error)
            throw error
          }
          controller.enqueue(value)
        },
        cancel(reason) {
          release()
          request.abort(reason)
        },
      },
      { highWaterMark: 0 },
    )
    return new Response(NULL_BODY_STATUSES.has(reply.statusCode) ? null : body, {
      status: reply.statusCode,
      headers,
    })
  }
}

/** The error for an answer that outgrew its bound. */
export function tooLong({ alias, bytes }: { alias: ModelAlias; bytes: number }): ModelError {
  return new ModelError({
    code: 'model_too_long',
    alias,
    message: `The answer of ${alias} grew beyond ${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB and was stopped.`,
  })
}

function silence({ alias, silenceMs }: { alias: ModelAlias; silenceMs: number }): ModelError {
  return new ModelError({
    code: 'model_timeout',
    alias,
    retryable: true,
    message: `${alias} did not answer in time: it was silent for ${silenceMs / 1000} s.`,
  })
}

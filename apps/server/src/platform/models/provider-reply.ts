import { StringDecoder } from 'node:string_decoder'
import { Pool } from 'undici'
import { ModelError } from './model-error.ts'
import { ProviderError } from './provider-error.ts'
import type { Clock } from './retry.ts'

/** Keeps one connection pool an origin. */
export interface ProviderPools {
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

interface PostOptions {
  pool: Pool
  path: string
  headers: Record<string, string>
  body: string
  alias: string
  clock: Clock
  /** Longest wait for the next bytes. */
  silenceMs: number
  /** Ends the call, whoever aborts it. */
  upstream: AbortController
}

/** Of a failed reply so much is read. */
const ERROR_BODY_BYTES = 64 * 1024

/** Sends a request and gives the text of its reply as it comes; follows no redirects. Throws what the provider refuses with. */
export async function* post({
  pool,
  path,
  headers,
  body,
  alias,
  clock,
  silenceMs,
  upstream,
}: PostOptions): AsyncGenerator<string, void> {
  const { signal } = upstream
  let waiting = true
  // A caller that takes its time with what has come is no silence.
  const onEnd = () => waiting && upstream.abort(silence({ alias, silenceMs }))
  const countdown = clock.countDown({ ms: silenceMs, onEnd })
  try {
    const reply = await pool.request({ method: 'POST', path, headers, body, signal })
    const failed = reply.statusCode < 200 || reply.statusCode > 299
    const decoder = new StringDecoder('utf8')
    let failure = ''
    countdown.restart()
    for await (const chunk of reply.body) {
      waiting = false
      const text = decoder.write(chunk as Buffer)
      if (!failed) yield text
      else if (failure.length < ERROR_BODY_BYTES) failure += text
      else break
      waiting = true
      countdown.restart()
    }
    if (failed) throw new ProviderError({ status: reply.statusCode, headers: reply.headers, body: failure })
  } finally {
    countdown.cancel()
  }
}

/** The error for an answer that outgrew its bound. */
export function tooLong({ alias, bytes }: { alias: string; bytes: number }): ModelError {
  return new ModelError({
    code: 'model_too_long',
    alias,
    message: `The answer of ${alias} grew beyond ${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB and was stopped.`,
  })
}

function silence({ alias, silenceMs }: { alias: string; silenceMs: number }): ModelError {
  return new ModelError({
    code: 'model_timeout',
    alias,
    retryable: true,
    message: `${alias} did not answer in time: it was silent for ${silenceMs / 1000} s.`,
  })
}

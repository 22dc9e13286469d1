import { pipeline, type Readable, type Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Pool } from 'undici'
import { createOpenConnector } from '../outbound/open-connector.ts'
import { createPoolConnector, type Reach } from '../outbound/pool-connector.ts'
import { ModelError } from './model-error.ts'
import type { ModelLimits, ModelName } from './model-types.ts'
import { ProviderError, UnknownFormError } from './provider-error.ts'
import type { Clock } from './retry.ts'
import { sentenceIn } from './wires/vendor-error.ts'

/** Keeps one connection pool an origin, and a way of checking where it leads; `any`: an address of the settings. */
export interface ProviderPools {
  of(origin: string, reach?: Reach | 'any'): Pool
  close(): Promise<void>
}

export function createProviderPools(): ProviderPools {
  const pools = new Map<string, Pool>()
  return {
    of(origin, reach = 'any') {
      const key = `${reach} ${origin}`
      const known = pools.get(key)
      if (known) return known
      const connect = reach === 'any' ? createOpenConnector() : createPoolConnector(reach)
      const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0, allowH2: false, connect })
      pools.set(key, pool)
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
  model: ModelName
  clock: Clock
  addressVariable: string
  limits: Pick<ModelLimits, 'firstByteMs' | 'silenceMs'>
  upstream: AbortController
}

const ERROR_BODY_BYTES = 64 * 1024
/** Neither JSON nor an event begins so. */
const MARKUP = /^\s*</

/** Sends a request and gives the text of its reply as it comes; follows no redirects. Throws what the provider refuses with. */
export async function* post({
  pool,
  path,
  headers,
  body,
  model,
  clock,
  addressVariable,
  limits,
  upstream,
}: PostOptions): AsyncGenerator<string, void> {
  const { signal } = upstream
  let hasBegun = false
  let waiting = true
  // A caller that is slow to read does not count as silence.
  const countDown = (ms: number) =>
    clock.countDown({ ms, onEnd: () => waiting && upstream.abort(silence({ model, ms })) })
  let countdown = countDown(limits.firstByteMs)
  try {
    const reply = await pool.request({ method: 'POST', path, headers, body, signal })
    const failed = reply.statusCode < 200 || reply.statusCode > 299
    const decoder = new StringDecoder('utf8')
    let failure = ''
    for await (const chunk of unpackBody(reply.body, reply.headers['content-encoding'])) {
      waiting = false
      const text = decoder.write(chunk as Buffer)
      if (!failed) {
        if (!hasBegun && MARKUP.test(text)) throw noAnswer({ model, addressVariable })
        yield text
      } else if (failure.length < ERROR_BODY_BYTES) failure += text
      else break
      waiting = true
      if (hasBegun) countdown.restart()
      else {
        hasBegun = true
        countdown.cancel()
        countdown = countDown(limits.silenceMs)
      }
    }
    if (failed) {
      const { statusCode: status, headers } = reply
      throw new ProviderError({ status, headers, body: failure, message: sentenceIn(failure) })
    }
  } finally {
    countdown.cancel()
  }
}

export function tooLong({ model: { alias, label }, bytes }: { model: ModelName; bytes: number }): ModelError {
  return new ModelError({
    code: 'model_too_long',
    alias,
    message: `The answer from ${label} exceeded ${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB and was stopped.`,
  })
}

/** Not tried again: the request was sent, so that the provider may still be at it. */
function silence({ model: { alias, label }, ms }: { model: ModelName; ms: number }): ModelError {
  return new ModelError({
    code: 'model_timeout',
    alias,
    message: `${label} did not answer in time: it was silent for ${ms / 1000} s.`,
  })
}

function noAnswer({
  model: { alias, label },
  addressVariable,
}: {
  model: ModelName
  addressVariable: string
}): ModelError {
  return new ModelError({
    code: 'model_malformed',
    alias,
    message: `The address of ${label} returned a web page, not a model’s answer. Check ${addressVariable}.`,
  })
}

const UNPACKERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** The bytes of a reply without what `content-encoding` says of them: some servers pack what nobody asked them to. */
function unpackBody(body: Readable, encodings: string | string[] | undefined): Readable {
  const named = [encodings ?? []].flat().join(',').toLowerCase().split(',')
  const packed = named.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity')
  if (packed.length === 0) return body
  const unpackers = packed.toReversed().map((name) => {
    const make = UNPACKERS[name]
    if (make === undefined) {
      body.on('error', () => undefined).destroy()
      throw new UnknownFormError(`a body packed as “${name.slice(0, 40)}”`)
    }
    return make()
  })
  // Whoever reads the end is told of a failure by its stream.
  pipeline([body, ...unpackers], () => undefined)
  return unpackers.at(-1) ?? body
}

import { setTimeout as delay } from 'node:timers/promises'
import { type Health, healthApi, STREAM_CHECK_GAP_MS, type StreamCheckEvent } from '@catenary/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { readVersion } from '../../version.ts'
import { handlers } from './endpoints.ts'
import { type ServerEvent, sendEventStream } from './event-stream.ts'
import type { Routes } from './routes.ts'

const CHECK_TIMEOUT_MS = 2_000
const RETRY_SECONDS = 5

/** A failed check whose reason whoever asks may read. */
export class NotReadyError extends Error {}

export type ReadinessChecks = Record<string, () => Promise<void>>

/** `/healthz` while the process lives, `/readyz` while it can do its work (D4); and by which way a call came. */
export function healthRoutes({ checks }: { checks: ReadinessChecks }): Routes {
  const checkStream = createStreamCheck()
  return handlers(
    healthApi,
    {
      'GET /healthz': (): Health => ({ status: 'ok', ...readVersion() }),
      'GET /readyz': async (_, { request }) => {
        const failed = await Promise.all(
          Object.entries(checks).map(async ([name, check]) => {
            try {
              await withTimeout(check())
              return []
            } catch (error) {
              request.log.warn({ err: error, check: name }, 'not ready')
              return [error instanceof NotReadyError ? `${name} (${error.message})` : name]
            }
          }),
        )
        const names = failed.flat()
        if (names.length > 0)
          throw new AppError('unavailable', `Not ready: ${names.join(', ')}`, { retryAfter: RETRY_SECONDS })
        return { status: 'ready' }
      },
      'GET /api/stream-check': (_, { request, reply }) => checkStream(request, reply),
    },
    { 'GET /api/stream-check': { config: STREAM_CHECK_LIMIT } },
  )
}

export function checkThat(isWell: () => boolean, otherwise: string): () => Promise<void> {
  return async () => {
    if (!isWell()) throw new Error(otherwise)
  }
}

async function withTimeout(check: Promise<void>): Promise<void> {
  const ended = new AbortController()
  const timeout = delay(CHECK_TIMEOUT_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error('no answer in time')
  })
  // Its own abort is no failure.
  timeout.catch(() => {})
  try {
    await Promise.race([check, timeout])
  } finally {
    ended.abort()
  }
}

const PER_ADDRESS_A_MINUTE = 12
const OPEN_MAX = 50

/** Counted by the address, so that nobody has to be known. */
const STREAM_CHECK_LIMIT = {
  rateLimit: {
    max: PER_ADDRESS_A_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: ({ ip }: FastifyRequest) => ip,
  },
}

/**
 * Two events with a pause between them, so that `doctor` sees from outside whether a proxy forwards streams as they
 * arrive. Open to everyone: it only reports how the call itself arrived, and uses neither database nor model.
 */
function createStreamCheck() {
  let open = 0
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (open >= OPEN_MAX)
      throw new AppError('too_many', 'Too many checks at once. Try again in a moment.', { retryAfter: 1 })
    open += 1
    reply.raw.once('close', () => (open -= 1))
    return sendEventStream(reply, twoEvents(describeCall(request)))
  }
}

function describeCall({ headers, ips }: FastifyRequest): StreamCheckEvent {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join().split(',')
  return {
    forwarded: forwarded.filter((address) => address.trim() !== '').length,
    // The first is who connected.
    believed: Math.max(0, (ips?.length ?? 0) - 1),
    authorization: headers.authorization !== undefined,
  }
}

async function* twoEvents(data: StreamCheckEvent): AsyncGenerator<ServerEvent> {
  yield { event: 'first', data }
  await delay(STREAM_CHECK_GAP_MS)
  yield { event: 'second', data }
}

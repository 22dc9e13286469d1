import { setTimeout as delay } from 'node:timers/promises'
import { type Health, healthApi } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { readVersion } from '../../version.ts'
import { handlers } from './endpoints.ts'
import type { Routes } from './routes.ts'
import { createStreamCheck, STREAM_CHECK_LIMIT } from './stream-check.ts'

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

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'

const CALL_LIMIT_MS = 2_000
const STREAM_LIMIT_MS = 300
const POLL_MS = 20
const RETRY_SECONDS = 1
/** Calls that may last: they would be cut. */
const LASTS = /^POST \/v1\/|^POST \/api\/execute-prompt$|^GET \/api\/executions\/:id\/events$/

interface DrainOptions {
  endCalls: () => Promise<void>
  draining?: AbortSignal | undefined
}

/**
 * Before a stop, calls that may last are refused, and clients told to connect anew. The stop refuses all others too,
 * lets calls under way end, and streams say so; what is still open then is cut.
 */
export function drainOnClose(app: FastifyInstance, { endCalls, draining }: DrainOptions): void {
  const open = new Set<FastifyReply>()
  let isClosing = false
  app.addHook('onRequest', async ({ method, routeOptions: { url = '' } }, reply) => {
    open.add(reply)
    if (!isClosing && !draining?.aborted) return
    // Otherwise a proxy sends the next call over the same connection.
    reply.header('connection', 'close')
    if (url !== '/healthz' && (isClosing || LASTS.test(`${method} ${url}`))) throw stopping()
  })
  app.addHook('onResponse', async (_request, reply) => {
    open.delete(reply)
  })
  app.addHook('preClose', async () => {
    isClosing = true
    const calls = AbortSignal.timeout(CALL_LIMIT_MS)
    await Promise.race([endCalls(), delay(CALL_LIMIT_MS, undefined, { ref: false })])
    const streams = AbortSignal.timeout(STREAM_LIMIT_MS)
    const isWaitedFor = (reply: FastifyReply): boolean => !(reply.raw.headersSent ? streams : calls).aborted
    while ([...open].some(isWaitedFor)) await delay(POLL_MS)
  })
}

const stopping = () =>
  new AppError('unavailable', 'This process is stopping. Try again in a moment.', {
    retryAfter: RETRY_SECONDS,
  })

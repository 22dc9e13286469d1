import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** How long calls under way may take once the stop has begun. */
const CALL_LIMIT_MS = 2_000
/** How long a stream has to send its last words. */
const STREAM_LIMIT_MS = 300
const LOOK_EVERY_MS = 20

/** A stop lets calls under way end, and streams say so; what is still open then is cut. */
export function drainOnClose(app: FastifyInstance, { endCalls }: { endCalls: () => Promise<void> }): void {
  const open = new Set<FastifyReply>()
  app.addHook('onRequest', async (_request, reply) => {
    open.add(reply)
  })
  app.addHook('onResponse', async (_request, reply) => {
    open.delete(reply)
  })
  app.addHook('preClose', async () => {
    const calls = AbortSignal.timeout(CALL_LIMIT_MS)
    await Promise.race([endCalls(), delay(CALL_LIMIT_MS, undefined, { ref: false })])
    const streams = AbortSignal.timeout(STREAM_LIMIT_MS)
    const isWaitedFor = (reply: FastifyReply): boolean => !(reply.raw.headersSent ? streams : calls).aborted
    while ([...open].some(isWaitedFor)) await delay(LOOK_EVERY_MS)
  })
}

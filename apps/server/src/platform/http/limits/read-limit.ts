import type { User } from '@catenary/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RateLimiter } from '../../limits/rate-limiter.ts'
import { toActorKey } from '../actor-key.ts'
import type { Pulse } from '../errors/database-away.ts'
import { abortOnDisconnect } from '../event-stream.ts'
import { optionalUser } from '../session.ts'

/** A reader who takes longer costs no more than the text that waits. */
const SENDING_MS = 1_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It waits for others, or lasts. */
    readLimit?: 'none'
  }
}

export interface ReadLimitOptions {
  boundsOf: (user: User | null) => Promise<{ reads: number }>
  pulse: Pick<Pulse, 'silentMs'>
}

/** Limits the time that reads of one person, or of one address without a session, may take. */
export function limitReads(app: FastifyInstance, { boundsOf, pulse }: ReadLimitOptions): void {
  const limiter = new RateLimiter({ silentMs: () => pulse.silentMs() })
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preHandler', async (request, reply) => {
    const { url = '', config } = request.routeOptions
    const isRead = request.method === 'GET' && url.startsWith('/api/')
    // What is checked against other sites does more than read.
    if (!isRead || config.readLimit === 'none' || config.crossSiteCheck === true) return
    const { reads: share } = await boundsOf(await optionalUser(request))
    const signal = abortOnDisconnect(reply)
    const end = await limiter.acquire(await toActorKey(request), { share, signal })
    if (reply.raw.destroyed) return end()
    reply.raw.once('close', end)
    ends.set(request, end)
  })
  app.addHook('onSend', async (request) => {
    const end = ends.get(request)
    if (end) setTimeout(end, SENDING_MS).unref()
  })
  app.addHook('onClose', async () => limiter.close())
}

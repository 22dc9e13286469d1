import type { User } from '@catenary/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RateLimiter } from '../../../limits/rate-limiter.ts'
import type { Pulse } from '../../database-state.ts'
import { callerOf, toActorKey } from '../actor-key.ts'
import { abortOnDisconnect } from '../event-stream.ts'

/** A slow reader costs no more than the text that waits. */
const SENDING_MS = 1_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A GET of the API reads, and any other call where its route says so. `none`: it waits for others, or lasts; `begin`:
     * it does so once its body is read.
     */
    readLimit?: 'none' | 'whole' | 'begin' | ((request: FastifyRequest) => 'whole' | 'begin')
  }
}

export interface ReadLimitOptions {
  boundsOf: (user: User | null) => Promise<{ reads: number }>
  pulse: Pick<Pulse, 'silentMs'>
}

export function limitReads(app: FastifyInstance, { boundsOf, pulse }: ReadLimitOptions): void {
  const limiter = new RateLimiter({ silentMs: () => pulse.silentMs() })
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preHandler', async (request, reply) => {
    const limit = limitOf(request)
    if (limit === 'none') return
    const { reads: share } = await boundsOf(await callerOf(request))
    const signal = abortOnDisconnect(reply)
    const key = await toActorKey(request)
    const end = await limiter.acquire(key, { share, signal })
    if (limit === 'begin') {
      end()
      return limiter.addUse(key, request.parsingMs)
    }
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

function limitOf(request: FastifyRequest): 'none' | 'whole' | 'begin' {
  const { url = '', config } = request.routeOptions
  const { readLimit } = config
  if (typeof readLimit === 'function') return readLimit(request)
  if (readLimit !== undefined) return readLimit
  const isRead = request.method === 'GET' && url.startsWith('/api/')
  // What is checked against other sites does more than read.
  return isRead && config.crossSiteCheck !== true ? 'whole' : 'none'
}

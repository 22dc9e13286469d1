import type { User } from '@catenary/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { toActorKey } from './actor-key.ts'
import type { Pulse } from './database-away.ts'
import { abortOnDisconnect } from './event-stream.ts'
import { optionalUser } from './session.ts'
import { Turns } from './turns.ts'

/** A reader who takes longer costs no more than the text that waits. */
const SENDING_MS = 1_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It waits for others, or lasts. */
    readTurn?: 'none'
  }
}

export interface ReadTurnsOptions {
  boundsOf: (user: User | null) => Promise<{ reads: number }>
  pulse: Pick<Pulse, 'silentMs'>
}

/** What one person, or one address without a session, reads is read in turns. */
export function readInTurns(app: FastifyInstance, { boundsOf, pulse }: ReadTurnsOptions): void {
  const turns = new Turns({ silentMs: () => pulse.silentMs() })
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preHandler', async (request, reply) => {
    const { url = '', config } = request.routeOptions
    const isRead = request.method === 'GET' && url.startsWith('/api/')
    // What is checked against other sites does more than read.
    if (!isRead || config.readTurn === 'none' || config.crossSiteCheck === true) return
    const { reads: share } = await boundsOf(await optionalUser(request))
    const signal = abortOnDisconnect(reply)
    const end = await turns.take(await toActorKey(request), { share, signal })
    if (reply.raw.destroyed) return end()
    reply.raw.once('close', end)
    ends.set(request, end)
  })
  app.addHook('onSend', async (request) => {
    const end = ends.get(request)
    if (end) setTimeout(end, SENDING_MS).unref()
  })
  app.addHook('onClose', async () => turns.close())
}

import type { User } from '@catenary/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import { PermitCounts } from '../../../limits/permit-counts.ts'
import { RateLimiter } from '../../../limits/rate-limiter.ts'
import type { CreateWindows } from '../../../limits/windows.ts'
import type { Pulse } from '../../database-state.ts'
import { describeShare, type ShareOut } from '../../processes/processes.ts'
import { callerOf, toActorKey } from '../actor-key.ts'
import { abortOnDisconnect } from '../event-stream.ts'
import type { HttpApp, PersonLimits, RunLimit, StreamLimit } from '../routes.ts'
import { optionalUser } from '../session.ts'

const MINUTE_MS = 60_000
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** A larger change counts as several: what it costs grows with its texts. */
const WRITE_BYTES = 20_000
const LARGEST_BYTES = 1_500_000
/** What a file counts as: so many a minute are thirty. */
const FILE_WEIGHT = 20
/** What an id takes in a body, roughly: as many changes as there are ids, before they are read. */
const ID_BYTES = 6
const STREAM_RETRY_S = 10

type BoundsOf = (user: User | null) => Promise<{ streams: number; writes: number; reads: number }>

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * It changes nothing or has a limit of its own, brings a file that may be larger than all texts of a minute, or
     * names what is each a change.
     */
    writes?: 'unlimited' | 'file' | 'many'
    /**
     * A GET of the API reads, and any other call where its route says so. `none`: it waits for others, or lasts; `begin`:
     * it does so once its body is read.
     */
    readLimit?: 'none' | 'whole' | 'begin' | ((request: FastifyRequest) => 'whole' | 'begin')
  }
}

function limitWrites(app: FastifyInstance, { boundsOf, windows: createWindows }: LimitOptions): void {
  const windows = createWindows({ name: 'writes' })
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || request.routeOptions.config.writes === 'unlimited') return
    const user = await callerOf(request)
    if (user === null) return
    const { writes } = await boundsOf(user)
    const weight = weightOf(request)
    const { current, ttl } = await windows.add({ key: user.id, windowMs: MINUTE_MS, weight, limit: writes })
    if (current <= writes) return
    const retryAfter = Math.max(1, Math.ceil(ttl / 1000))
    const most = writes.toLocaleString('en')
    throw new AppError(
      'too_many',
      `You can make ${most} changes a minute. Try again in ${retryAfter} s, ` +
        'or ask an administrator for more.',
      { retryAfter },
    )
  })
}

function weightOf({ headers, routeOptions }: FastifyRequest): number {
  if (routeOptions.config.writes === 'file') return FILE_WEIGHT
  // A body of unknown length may be as large as any.
  const size =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : LARGEST_BYTES
  return Math.max(1, Math.ceil(size / (routeOptions.config.writes === 'many' ? ID_BYTES : WRITE_BYTES)))
}

interface LimitOptions {
  boundsOf: BoundsOf
  pulse: Pick<Pulse, 'silentMs'>
  windows: CreateWindows
  share: ShareOut
}

export function limitPeople(
  app: HttpApp,
  { runsPerMinute, ...options }: LimitOptions & { runsPerMinute: number },
): PersonLimits {
  limitWrites(app, options)
  limitReads(app, options)
  return {
    limitRuns: createRunLimit(app, { runsPerMinute }),
    limitStreams: createStreamLimit(options),
  }
}

/** Bounds how many streams a person has open, of which each process has its share; for the routes that open one. */
function createStreamLimit({ boundsOf, share }: Pick<LimitOptions, 'boundsOf' | 'share'>): StreamLimit {
  const open = new PermitCounts<number>()
  return async (request, reply) => {
    const user = await optionalUser(request)
    if (user === null) return
    const { streams } = await boundsOf(user)
    const { most, processes } = share(streams, 'serving')
    if (open.of(user.id) >= most) {
      throw new AppError(
        'too_many',
        `You can have ${streams.toLocaleString('en')} streams open${describeShare({ most, processes })}, and all are in use. ` +
          'Close a page that shows a run, or ask an administrator for more.',
        { retryAfter: STREAM_RETRY_S },
      )
    }
    reply.raw.once('close', open.take(user.id))
  }
}

function createRunLimit(app: HttpApp, { runsPerMinute }: { runsPerMinute: number }): RunLimit {
  return app.rateLimit({
    max: runsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: toActorKey,
    groupId: 'runs',
  })
}

/** A slow reader costs no more than the text that waits. */
const SENDING_MS = 1_000

function limitReads(app: FastifyInstance, { boundsOf, pulse }: LimitOptions): void {
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

import type { User } from '@catenary/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import { PermitCounts } from '../../../limits/permit-counts.ts'
import type { CreateWindows } from '../../../limits/windows.ts'
import { describeShare, type ShareOut } from '../../processes/processes.ts'
import { callerOf, toActorKey } from '../actor-key.ts'
import type { HttpApp, PersonLimits, RunLimit, StreamLimit } from '../routes.ts'
import { optionalUser } from '../session.ts'
import { limitReads, type ReadLimitOptions } from './read-limit.ts'

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
  }
}

function limitWrites(
  app: FastifyInstance,
  { boundsOf, windows: createWindows }: { boundsOf: BoundsOf; windows: CreateWindows },
): void {
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

interface LimitOptions extends Pick<ReadLimitOptions, 'pulse'> {
  boundsOf: BoundsOf
  runsPerMinute: number
  windows: CreateWindows
  share: ShareOut
}

export function limitPeople(app: HttpApp, { runsPerMinute, ...options }: LimitOptions): PersonLimits {
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

import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { NEXT_CURSOR, TOTAL_COUNT } from '@catenary/contracts'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { AppError } from '../../errors.ts'
import { type CreateWindows, createOwnWindows } from '../../limits/windows.ts'
import type { DatabaseState } from '../database-state.ts'
import type { Log } from '../log/log.ts'
import { boundedValidatorCompiler } from './bounded-validation.ts'
import { drainOnClose } from './drain.ts'
import { answerClientError } from './errors/client-errors.ts'
import { refuseWhileDatabaseIsAway } from './errors/database-away.ts'
import { type AnswerUnroutable, answerUnroutable, type Explain, handleErrors } from './errors/errors.ts'
import { refuseWritesOnFullDisk } from './errors/full-disk.ts'
import { refuseWritesWhileMoving } from './errors/moved-database.ts'
import { type IdempotencyStore, replayIdempotentWrites } from './idempotency.ts'
import { acceptJsonOnly } from './json-bodies.ts'
import { createRateLimitStore } from './limits/rate-limit-store.ts'
import { refuseSlowly } from './limits/slow-refusals.ts'
import { cutStuckPeers } from './limits/stuck-peers.ts'
import { describeApi } from './openapi/openapi.ts'
import { readRefusedBodies } from './refused-bodies.ts'
import type { HttpApp } from './routes.ts'
import { admitCallers, type Callers, type Doors } from './security/callers.ts'
import { refuseCrossSiteWrites } from './security/cross-site.ts'
import { refuseHostileText } from './security/hostile-text.ts'
import { refuseForeignHosts } from './security/known-hosts.ts'
import { noteRefusedCalls, type RefusedCall } from './security/refused-calls.ts'
import { refuseRepeatedHeaders } from './security/repeated-headers.ts'
import { secureReplies } from './security/security-headers.ts'
import { type FindUser, registerSession } from './session.ts'

/** Room for the longest prompt in JSON; larger bodies get 413. */
const BODY_LIMIT_BYTES = 1_572_864
const REQUEST_TIMEOUT_MS = 60_000
const TIMEOUT_CHECK_MS = 5_000
/** The system asks a silent peer for a sign of life, and cuts it some ten seconds after the last. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 }
const SESSION_COOKIE = 'catenary.session_token'
/** Longer than Node lets an address be: an over-long id reaches its schema. */
const PATH_PARAM_LIMIT = 20_000

export interface HttpOptions extends Partial<DatabaseState> {
  log: Log
  publicUrl: string
  corsOrigins: string[]
  /** Hops to trust, or the networks of the proxies. */
  trustProxy: number | string[]
  allowedHosts: string[]
  requestTimeoutMs?: number
  refusedBodyMs?: number
  stuckPeerMs?: number
  windows?: CreateWindows
  findUser: FindUser
  admission?: { callers: Callers; doors: Doors }
  idempotency: IdempotencyStore
  explain?: Explain
  answerUnroutable?: AnswerUnroutable
  draining?: AbortSignal
  refused?: (call: RefusedCall) => void
  /** What must be done before whoever wrote something has the reply. */
  beforeReply?: () => Promise<void>
  /** Called when the server closes: ends what the calls in progress wait for. */
  endCalls: () => Promise<void>
}

export async function createHttpServer(options: HttpOptions): Promise<HttpApp> {
  const { trustProxy, requestTimeoutMs = REQUEST_TIMEOUT_MS, windows = createOwnWindows } = options
  const publicOrigin = new URL(options.publicUrl).origin
  const secure = publicOrigin.startsWith('https:')
  const app: HttpApp = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    requestTimeout: requestTimeoutMs,
    // Node looks at the whole request's time only where the headers' is no longer.
    http: {
      ...KEEP_ALIVE,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
    },
    clientErrorHandler: answerClientError,
    // An open event stream would otherwise hold the stop forever.
    forceCloseConnections: true,
    // Its own refusal says nothing of when to ask again.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    rewriteUrl: ({ url = '/' }) => withSingleSlashes(url),
    routerOptions: { maxParamLength: PATH_PARAM_LIMIT },
    frameworkErrors: answerUnroutable(options.answerUnroutable),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(boundedValidatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  acceptJsonOnly(app)
  handleErrors(app, options)
  logRequests(app)
  drainOnClose(app, options)
  cutStuckPeers(app, options)
  readRefusedBodies(app, options)
  await secureReplies(app, { secure })
  refuseRepeatedHeaders(app)
  refuseForeignHosts(app, options)
  refuseWhileDatabaseIsAway(app, options)
  refuseWritesOnFullDisk(app, options)
  refuseWritesWhileMoving(app, options)
  await app.register(cors, {
    origin: options.corsOrigins,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [...EXPOSED_HEADERS],
  })
  await app.register(rateLimit, {
    global: false,
    store: createRateLimitStore(windows),
    errorResponseBuilder: tooMany,
  })
  refuseSlowly(app)
  refuseCrossSiteWrites(app, { allowedOrigins: [publicOrigin, ...options.corsOrigins] })
  refuseHostileText(app)
  registerSession(app, { findUser: options.findUser })
  if (options.admission !== undefined) admitCallers(app, options.admission)
  noteRefusedCalls(app, options)
  replyOnceNoted(app, options)
  replayIdempotentWrites(app, { store: options.idempotency })
  // After the saved replies, which are text.
  compressJson(app)
  await describeApi(app, {
    sessionCookie: `${secure ? '__Secure-' : ''}${SESSION_COOKIE}`,
    publicUrl: options.publicUrl,
  })
  return app
}

function replyOnceNoted(app: HttpApp, { beforeReply }: HttpOptions): void {
  if (beforeReply === undefined) return
  app.addHook('onSend', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') await beforeReply()
  })
}

const REPEATED_SLASHES = /\/{2,}/g

/**
 * What joins an address and a path writes two slashes between them, or one at the end: the same place is meant. A path
 * that named another host to a reader of URLs never reaches one.
 */
function withSingleSlashes(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  const single = path.replace(REPEATED_SLASHES, '/').replace(/(.)\/$/, '$1')
  return single === path ? url : single + url.slice(path.length)
}

function tooMany(_request: unknown, { ttl }: { ttl: number }): AppError {
  const retryAfter = Math.max(1, Math.ceil(ttl / 1000))
  return new AppError('too_many', `Too many requests. Try again in ${retryAfter} s.`, { retryAfter })
}

/** What is smaller fits into a few packets anyway. */
const COMPRESS_FROM_CHARACTERS = 16_384

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

// The quickest of each: long lists are read from the database each time, and shrink to a fifth already.
const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const QUICK_GZIP = { level: 1 }

const encoders = {
  br: (text: string) => brotli(text, QUICK_BROTLI),
  gzip: (text: string) => zip(text, QUICK_GZIP),
}

function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    const isLong =
      payload instanceof Readable ||
      (typeof payload === 'string' && payload.length >= COMPRESS_FROM_CHARACTERS)
    if (!isLong || !isJson) return payload
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`)
    const encoding = preferred(request.headers['accept-encoding'])
    if (encoding === undefined) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    if (typeof payload === 'string') return encoders[encoding](payload)
    return payload.pipe(encoding === 'br' ? createBrotliCompress(QUICK_BROTLI) : createGzip(QUICK_GZIP))
  })
}

function preferred(accepted: string | string[] | undefined): keyof typeof encoders | undefined {
  const names = String(accepted ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0])
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    hasSecretPath?: boolean
  }
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const { 'user-agent': userAgent, 'content-length': length } = request.headers
    request.log.debug({ method: request.method, path: pathOf(request), userAgent, length }, 'request begins')
  })
  app.addHook('onResponse', async (request, reply) => {
    const user = await request.sessionUser?.catch(() => null)
    const line = {
      method: request.method,
      path: pathOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      userId: user?.id,
    }
    if (reply.statusCode >= 500) request.log.warn(line, 'request')
    else request.log.info(line, 'request')
  })
}

/** Whoever knows what stands below it can start a chain; a letter of it may be written by its number. */
const HOOKS = /^\/(?:[hH]|%[46]8)(?:[oO]|%[46][fF]){2}(?:[kK]|%[46][bB])(?:[sS]|%[57]3)\//

/** Without the query, which may hold what a person typed, and without a secret that is a part of the path. */
function pathOf(request: FastifyRequest): string | undefined {
  const { config, url } = request.routeOptions
  if (config.hasSecretPath === true) return url
  const path = request.url.split('?', 1)[0]
  // Also where no route answers.
  return path && HOOKS.test(path) ? '/hooks/…' : path
}

/** What a page of an allowed origin may read of a reply: each header that a reply of ours sets for its caller. */
export const EXPOSED_HEADERS: readonly string[] = [
  'allow',
  'content-disposition',
  'etag',
  'idempotent-replayed',
  'location',
  'request-id',
  'retry-after',
  'www-authenticate',
  'x-catenary-estimate',
  'x-catenary-execution',
  'x-catenary-ignored',
  'x-prompt-label',
  'x-prompt-version',
  'x-request-id',
  'x-selected-chain-id',
  'x-selection-confidence',
  'x-should-retry',
  TOTAL_COUNT,
  NEXT_CURSOR,
]

import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { AppError } from '../../errors.ts'
import { type CreateWindows, createOwnWindows } from '../../limits/windows.ts'
import type { DatabaseState } from '../database-state.ts'
import type { Log } from '../log/log.ts'
import { boundedValidatorCompiler } from './bounded-validation.ts'
import { compressJson } from './compress.ts'
import { drainOnClose } from './drain.ts'
import { answerClientError } from './errors/client-errors.ts'
import { refuseWhileDatabaseIsAway } from './errors/database-away.ts'
import { type AnswerUnroutable, answerUnroutable, type Explain, handleErrors } from './errors/errors.ts'
import { refuseWritesOnFullDisk } from './errors/full-disk.ts'
import { refuseWritesWhileMoving } from './errors/moved-database.ts'
import { EXPOSED_HEADERS } from './exposed-headers.ts'
import { type IdempotencyStore, replayIdempotentWrites } from './idempotency.ts'
import { acceptJsonOnly } from './json-bodies.ts'
import { createRateLimitStore } from './limits/rate-limit-store.ts'
import { refuseSlowly } from './limits/slow-refusals.ts'
import { cutStuckPeers } from './limits/stuck-peers.ts'
import { describeApi } from './openapi/openapi.ts'
import { readRefusedBodies } from './refused-bodies.ts'
import { logRequests } from './request-log.ts'
import type { HttpApp } from './routes.ts'
import { admitCallers, type Callers, type Doors } from './security/callers.ts'
import { refuseCrossSiteWrites } from './security/cross-site.ts'
import { refuseHostileText } from './security/hostile-text.ts'
import { refuseForeignHosts } from './security/known-hosts.ts'
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

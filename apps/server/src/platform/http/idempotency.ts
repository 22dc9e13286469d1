import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { optionalUser } from './session.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const KEY = /^[\x21-\x7e]{1,200}$/
const REPLAYED = 'idempotent-replayed'

interface StoredReply {
  status: number
  type: string | null
  body: string | null
}

type Finish = (outcome: { reply: StoredReply | null; keep: boolean }) => Promise<void>

export interface IdempotencyStore {
  begin(call: {
    actor: string
    key: string
    fingerprint: string
  }): Promise<{ reply: StoredReply } | { reply?: never; finish: Finish }>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `off`: each call runs, even with a repeated key; for replies that hold a secret or are streamed. */
    idempotency?: 'json' | 'off'
  }
  interface FastifyRequest {
    finishIdempotentCall: Finish | undefined
  }
}

/**
 * Replays the first reply to a write repeated with its `Idempotency-Key` (D7). Keys belong to signed-in people: a
 * guest's writes (registration, sign-in) set cookies and are never stored.
 */
export function replayIdempotentWrites(app: FastifyInstance, { store }: { store: IdempotencyStore }): void {
  app.decorateRequest('finishIdempotentCall', undefined)

  app.addHook('preHandler', async (request, reply) => {
    const key = readKey(request)
    if (key === undefined) return undefined
    const user = await optionalUser(request)
    if (user === null) return undefined
    const call = { actor: `user:${user.id}`, key, fingerprint: toFingerprint(request) }
    const begun = await store.begin(call)
    if (begun.reply === undefined) {
      request.finishIdempotentCall = begun.finish
      return undefined
    }
    const { status, type, body } = begun.reply
    if (type !== null) reply.type(type)
    return reply
      .code(status)
      .header(REPLAYED, 'true')
      .send(body ?? undefined)
  })

  // Before the reply is sent: a client that has read it must get the same one again.
  app.addHook('onSend', async (request, reply, payload) => {
    const finish = request.finishIdempotentCall
    if (finish === undefined) return
    request.finishIdempotentCall = undefined
    await finish(toOutcome(reply, payload))
  })
}

function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || SAFE_METHODS.has(request.method) || !request.url.startsWith('/api/')) {
    return undefined
  }
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new AppError('invalid', 'Idempotency-Key must be 1–200 visible ASCII characters')
  }
  const streamed = request.headers.accept?.includes('text/event-stream') === true
  return streamed || request.is404 || request.routeOptions.config.idempotency === 'off' ? undefined : key
}

function toFingerprint({ method, url, body }: FastifyRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest('hex')
}

function toOutcome(reply: FastifyReply, payload: unknown): { reply: StoredReply | null; keep: boolean } {
  const status = reply.statusCode
  const repeatable = payload === null || payload === undefined || typeof payload === 'string'
  if (!repeatable || reply.hasHeader('set-cookie')) return { reply: null, keep: false }
  const type = reply.getHeader('content-type')
  return {
    reply: { status, type: type === undefined ? null : String(type), body: payload ?? null },
    // These may pass: a later retry is let through.
    keep: status < 500 && status !== 429,
  }
}

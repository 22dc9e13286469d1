import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../errors.ts'

/** Node takes the first of these, and a proxy on the way may have taken the last. */
const ONCE = new Set([
  'authorization',
  'content-encoding',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
  'sec-fetch-site',
  'x-api-key',
])

/** Refuses a request that says twice for whom it is, who sends it, or what it brings (RFC 9112, 3.2). */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const seen = new Set<string>()
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]?.toLowerCase() ?? ''
      if (seen.has(name)) throw new AppError('invalid', `The header ${name} was sent twice`)
      if (ONCE.has(name)) seen.add(name)
    }
  })
}

import type { FastifyReply } from 'fastify'

/** Aborted when the caller leaves before the reply is through. */
export function callerSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort()
  })
  return left.signal
}

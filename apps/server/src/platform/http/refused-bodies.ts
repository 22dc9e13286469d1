import type { FastifyInstance } from 'fastify'

/** What a caller may still send of a refused body before the connection is cut. */
const LIMIT_BYTES = 32 * 1024 ** 2
const LIMIT_MS = 10_000

/**
 * The rest of a body that is refused is read and dropped: a browser or a proxy that is hung up on while it sends
 * doesn't read why, and says 'connection reset' or 502 instead.
 */
export function readRefusedBodies(
  app: FastifyInstance,
  { refusedBodyMs = LIMIT_MS }: { refusedBodyMs?: number },
): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || reply.getHeader('connection') !== 'close') return
    reply.removeHeader('connection')
    const cut = () => raw.destroy()
    const late = setTimeout(cut, refusedBodyMs)
    raw.once('close', () => clearTimeout(late))
    let left = LIMIT_BYTES
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) cut()
    })
  })
}

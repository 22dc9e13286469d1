import type { FastifyInstance } from 'fastify'

const LIMIT_BYTES = 32 * 1024 ** 2
const LIMIT_MS = 10_000
/** So much of it is read at a time, … */
const PIECE_BYTES = 256 * 1024
/** … and then others are served: what is dropped has to be collected, which stops everybody. */
const REST_MS = 10

/**
 * The rest of a body that is refused is read, slowly, and dropped: a browser or a proxy that is hung up on while it
 * sends doesn't read why, and says 'connection reset' or 502 instead.
 */
export function readRefusedBodies(
  app: FastifyInstance,
  { refusedBodyMs = LIMIT_MS }: { refusedBodyMs?: number },
): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete) return
    if (reply.getHeader('connection') === 'close') reply.removeHeader('connection')
    const cut = () => raw.destroy()
    const late = setTimeout(cut, refusedBodyMs)
    let rest: NodeJS.Timeout | undefined
    raw.once('close', () => {
      clearTimeout(late)
      clearTimeout(rest)
    })
    let left = LIMIT_BYTES
    let piece = PIECE_BYTES
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      piece -= chunk.length
      if (left < 0) cut()
      else if (piece <= 0) {
        piece = PIECE_BYTES
        raw.pause()
        rest = setTimeout(() => raw.resume(), REST_MS)
      }
    })
  })
}

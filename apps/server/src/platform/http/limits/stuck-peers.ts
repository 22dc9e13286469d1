import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const LIMIT_MS = 120_000

/** Disconnects a peer that stops reading, and closes idle connections; a call in progress may take its time. */
export function cutStuckPeers(
  app: FastifyInstance,
  { stuckPeerMs = LIMIT_MS }: { stuckPeerMs?: number },
): void {
  const calls = new WeakMap<Socket, number>()
  const count = (socket: Socket, more: 1 | -1) => calls.set(socket, (calls.get(socket) ?? 0) + more)
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    count(socket, 1)
    reply.raw.once('close', () => count(socket, -1))
  })
  app.server.setTimeout(stuckPeerMs, (socket: Socket) => {
    const isWorkedFor = (calls.get(socket) ?? 0) > 0 && socket.writableLength === 0
    if (!isWorkedFor) socket.destroy()
  })
}

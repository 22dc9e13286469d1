import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

/** Two hundred of them read for a minute. */
const READERS = inject('everyDatabase') ? 200 : 8
/** On the wire each character is six bytes: more than the system's own buffers take of it. */
const [CHARACTER, WIRE_BYTES] = ['\u0001', 6]
const PIECES = 12
const PIECE = CHARACTER.repeat(100_000)
const WHOLE_WIRE_BYTES = PIECES * PIECE.length * WIRE_BYTES
/** What may wait for one of them: a piece of the text as the wire writes it, and what the socket holds back. */
const WAITING_BYTES = 250_000
const TIMEOUT_MS = 300_000

describe.each(routeDatabaseKinds)('callers who read slowly, or not at all, on %s', (kind) => {
  let gateway: Gateway
  const sockets = new Set<Socket>()
  beforeAll(async () => {
    gateway = await startGateway(kind)
    gateway.http.server.on('connection', (socket) => sockets.add(socket))
  })
  afterAll(() => gateway.close())
  beforeEach(() => {
    gateway.fake.reset()
    sockets.clear()
  })

  async function call(value: string): Promise<IncomingMessage> {
    const request = http.request(`${gateway.address}/v1/chat/completions`, {
      ...{ method: 'POST', agent: false },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${value}` },
    })
    request.end(
      JSON.stringify({ model: 'any', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    )
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    expect(reply.statusCode).toBe(200)
    return reply
  }

  test(
    'they have little waiting in memory, their runs end without them, and each gets all of it in the end',
    async () => {
      gateway.fake.replyByDefault({ text: Array.from({ length: PIECES }, () => PIECE) })
      const { value, chain } = await gateway.serve()
      const replies = await Promise.all(Array.from({ length: READERS }, () => call(value)))
      const url = `/api/chains/${chain.id}/executions?limit=${READERS}`
      await vi.waitFor(
        async () => {
          const { body } = await gateway.request({ url, as: gateway.owner })
          const done = (body as { status: string }[]).filter(({ status }) => status === 'completed')
          expect(done).toHaveLength(READERS)
        },
        { timeout: TIMEOUT_MS, interval: 200 },
      )
      expect(sockets.size).toBe(READERS)
      for (const socket of sockets) {
        expect(socket.bytesWritten).toBeLessThan(WHOLE_WIRE_BYTES)
        expect(socket.writableLength).toBeLessThan(WAITING_BYTES)
      }
      const read = async (reply: IncomingMessage) => {
        let characters = 0
        for await (const data of reply.setEncoding('latin1')) characters += data.split('0001').length - 1
        return characters
      }
      const texts = await Promise.all(replies.map(read))
      for (const characters of texts) expect(characters).toBeGreaterThan(0.99 * PIECES * PIECE.length)
    },
    TIMEOUT_MS,
  )
})

import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../testing/gateway.ts'

const READERS = 200
const PIECE = 'x'.repeat(16_000)
const PIECES = 80
/** A socket's own buffer, and the piece that filled it. */
const WAITING_MOST = 100_000

let gateway: Gateway
const sockets = new Set<Socket>()
beforeAll(async () => {
  gateway = await startGateway('embedded')
  gateway.http.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
})
afterAll(() => gateway.close())

async function open(value: string): Promise<IncomingMessage> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${value}`,
    // All of them follow one run, so that what is held is held for the readers.
    'idempotency-key': 'one',
  }
  const request = http.request(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers,
    agent: false,
  })
  request.end(JSON.stringify({ model: 'x', stream: true, messages: [{ role: 'user', content: 'Hello' }] }))
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  expect(reply.statusCode).toBe(200)
  return reply
}

const written = () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)

/** Resolves once nothing more goes out. */
async function untilStill(): Promise<void> {
  for (let before = -1, now = written(); now !== before; now = written()) {
    before = now
    await delay(300)
  }
}

test('200 readers that do not read hold a piece each, and the one that reads gets all', async () => {
  const { value } = await gateway.serve()
  gateway.fake.reply({ text: Array.from({ length: PIECES }, () => PIECE) })
  const replies = await Promise.all(Array.from({ length: READERS }, () => open(value)))
  await expect.poll(() => gateway.fake.journal[0]?.state).toBe('answered')
  await untilStill()
  const waiting = [...sockets].map(({ writableLength }) => writableLength)
  expect(waiting.length).toBeGreaterThanOrEqual(READERS)
  expect(Math.max(...waiting)).toBeLessThan(WAITING_MOST)

  const [first, ...others] = replies
  let text = ''
  for await (const chunk of first?.setEncoding('utf8') ?? []) text += chunk
  expect((text.match(/x{2,}/g) ?? []).join('')).toHaveLength(PIECES * PIECE.length)
  expect(text).toContain('[DONE]')
  expect(gateway.fake.journal).toHaveLength(1)
  for (const reply of others) reply.destroy()
})

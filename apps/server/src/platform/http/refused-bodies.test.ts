import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { onRequestAsyncHookHandler } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { createBareHttp } from '../../testing/bare-http.ts'
import type { HttpApp } from './routes.ts'

/** Over the limit of a body, and more than the system takes before the server reads. */
const LONG_BYTES = 24 * 1024 ** 2

let server: HttpApp
let socket: Socket
async function connectToServer(options: { refusedBodyMs?: number } = {}): Promise<void> {
  server = await createBareHttp(options)
  server.post('/take', async () => 'taken')
  const onRequest: onRequestAsyncHookHandler = async (_request, reply) => reply.code(401).send('Who?')
  server.post('/refuse', { onRequest }, async () => 'taken')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  await once(socket, 'connect')
}
afterEach(async () => {
  socket.destroy()
  await server.close()
})

const head = (length: number) =>
  `POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const send = (data: string | Buffer) =>
  new Promise<void>((sent, failed) => socket.write(data, (error) => (error ? failed(error) : sent())))

/** Reads replies until this many have come, or the connection ends. */
async function readReplies(count: number): Promise<string[]> {
  let text = ''
  const statuses = () => text.match(/HTTP\/1\.1 \d+/g) ?? []
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (statuses().length >= count) break
  }
  return statuses()
}

test('A body that is refused for its length is read and dropped within bounds, so that its sender reads why.', async () => {
  await connectToServer()
  await send(head(LONG_BYTES))
  await send(Buffer.alloc(LONG_BYTES, 'x'))
  await send(`${head(2)}{}`)
  expect(await readReplies(2)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
})

test('what is refused is read slowly, also where the connection stays', async () => {
  await connectToServer()
  await send(head(LONG_BYTES).replace('/take', '/refuse'))
  const began = performance.now()
  await send(Buffer.alloc(LONG_BYTES, 'x'))
  // What the system itself takes is at most half of it; of the rest each 256 KiB wait 10 ms.
  expect(performance.now() - began).toBeGreaterThan(400)
})

test('who goes on sending past the limit is cut', async () => {
  await connectToServer()
  await send(head(1024 ** 3))
  const block = Buffer.alloc(1024 ** 2, 'x')
  let sent = 0
  while (!socket.destroyed && sent < 200) {
    await send(block).catch(() => socket.destroy())
    sent += 1
  }
  expect(socket.destroyed).toBe(true)
})

test('so is who stops sending', async () => {
  await connectToServer({ refusedBodyMs: 300 })
  await send(head(LONG_BYTES))
  expect(await readReplies(2)).toEqual(['HTTP/1.1 413'])
})

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBareHttp } from '../../../testing/bare-http.ts'
import { sendEventStream } from '../event-stream.ts'
import type { HttpApp } from '../routes.ts'

const LIMIT_MS = 300
/** More than the system buffers for a client that does not read. */
const LARGE = 'x'.repeat(32 * 1024 ** 2)

let server: HttpApp
let ended: string[]
const sockets: Socket[] = []
beforeEach(async () => {
  ended = []
  server = await createBareHttp({ stuckPeerMs: LIMIT_MS })
  server.addHook('onRequest', async ({ url }, reply) => {
    reply.raw.once('close', () => ended.push(url))
  })
  server.get('/large', async () => LARGE)
  server.get('/stream', (_request, reply) =>
    sendEventStream(
      reply,
      (async function* () {
        for (let count = 0; count < 64; count += 1) yield { event: 'text', data: LARGE.slice(0, 1024 ** 2) }
      })(),
    ),
  )
  server.get('/slow', async () => {
    await delay(3 * LIMIT_MS)
    return 'at last'
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

async function ask(path: string): Promise<Socket> {
  const { port } = server.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return socket
}

test.each(['/large', '/stream'])('a peer that takes nothing of %s any more is cut', async (path) => {
  const socket = await ask(path)
  socket.pause()
  while (ended.length === 0) await delay(20)
  expect(ended).toEqual([path])
})

test('one that waits for a slow answer is not', async () => {
  const socket = await ask('/slow')
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.includes('at last')) break
  }
  expect(text).toMatch(/^HTTP\/1\.1 200/)
})

test('and an idle connection ends as it did', async () => {
  server.server.keepAliveTimeout = 100
  const socket = await ask('/large')
  socket.resume()
  await once(socket, 'close')
  expect(ended).toEqual(['/large'])
})

test.runIf(process.platform === 'linux')('the system probes a silent peer', async () => {
  const socket = await ask('/slow')
  const { port } = server.server.address() as AddressInfo
  const hex = (number = 0) => number.toString(16).toUpperCase().padStart(4, '0')
  const own = new RegExp(`:${hex(port)} \\w+:${hex(socket.localPort)} 01 \\S+ (\\w\\w):`)
  await delay(LIMIT_MS)
  // 02: its timer is that of keeping alive.
  expect(own.exec(readFileSync('/proc/self/net/tcp', 'utf8'))?.[1]).toBe('02')
})

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBareHttp } from '../../../testing/bare-http.ts'
import type { HttpApp } from '../routes.ts'

let server: HttpApp
beforeAll(async () => {
  server = await createBareHttp()
  server.get('/take', async () => 'taken')
  await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

/** The reply to a request of these lines, as they are. */
async function send(...headers: string[]): Promise<string> {
  const { port } = server.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.write(`${['GET /take HTTP/1.1', ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

test('one Host is served', async () => {
  expect(await send('Host: localhost')).toMatch(/^HTTP\/1\.1 200 .*taken$/s)
})

test.each([
  ['Host', 'localhost', 'evil.example'],
  ['Host', 'evil.example', 'localhost'],
  ['Authorization', 'Bearer a', 'Bearer b'],
  ['X-Api-Key', 'a', 'b'],
  ['Content-Type', 'application/json', 'text/plain'],
  ['Origin', 'http://localhost', 'http://evil.example'],
  ['Sec-Fetch-Site', 'same-origin', 'cross-site'],
  ['Idempotency-Key', 'a', 'b'],
])('two %s are refused, whichever comes first', async (name, first, second) => {
  const host = name === 'Host' ? [] : ['Host: localhost']
  const reply = await send(...host, `${name}: ${first}`, `${name.toLowerCase()}: ${second}`)
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(reply).toContain(`The header ${name.toLowerCase()} was sent twice`)
})

test('two of what may come twice are served', async () => {
  expect(await send('Host: localhost', 'Accept: a/b', 'Accept: c/d')).toMatch(/^HTTP\/1\.1 200 /)
})

import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBareHttp } from '../../../testing/bare-http.ts'
import { startApp, type TestApp } from '../../../testing/harness.ts'

describe('by which names it is asked', () => {
  let app: TestApp
  beforeAll(async () => {
    const settings = { publicUrl: 'https://catenary.example.org', allowedHosts: ['intranet', '192.168.1.20'] }
    app = await startApp({ settings })
  })
  afterAll(() => app.close())
  const ask = async (host: string, url = '/api/instance') =>
    (await app.request({ url, headers: { host } }))?.status

  test.each([
    { host: 'catenary.example.org', status: 200 },
    { host: 'CATENARY.example.org:8443', status: 200 },
    { host: 'localhost:3000', status: 200 },
    { host: 'catenary.localhost', status: 200 },
    { host: 'intranet', status: 200 },
    { host: '192.168.1.20:3000', status: 200 },
    { host: 'evil.example', status: 421 },
    { host: 'catenary.example.org.evil.example', status: 421 },
    { host: 'localhost.evil.example', status: 421 },
    { host: '127.0.0.1:3000', status: 421 },
    { host: '10.0.0.1', status: 421 },
    { host: '[::1]:3000', status: 421 },
    { host: 'catenary.example.org@evil.example', status: 421 },
    { host: 'a b', status: 421 },
    { host: '<script>', status: 421 },
  ])('$host: $status', async ({ host, status }) => {
    expect(await ask(host)).toBe(status)
  })

  test('a foreign name gets a plain page that says what to set, health checks their answer', async () => {
    const refused = await app.request({ url: '/', headers: { host: 'rebound.example:3000' } })
    expect(refused).toMatchObject({ status: 421, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    expect(refused.text).toContain('ALLOWED_HOSTS=rebound.example')
    const write = {
      method: 'POST' as const,
      url: '/api/register',
      body: {},
      headers: { host: 'rebound.example' },
    }
    expect((await app.request(write)).status).toBe(421)
    expect(await ask('10.1.2.3', '/healthz')).toBe(200)
  })
})

describe('what never becomes a request', () => {
  const listen = async (options: { publicUrl?: string; requestTimeoutMs?: number } = {}) => {
    const server = await createBareHttp({ publicUrl: 'http://catenary.example.org', ...options })
    server.post('/', async () => ({ ok: true }))
    await server.listen({ host: '127.0.0.1', port: 0 })
    return { server, port: (server.server.address() as AddressInfo).port }
  }
  const say = async (port: number, what: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(what)
    return text(socket)
  }

  test('its own address passes where a call came in at it', async () => {
    const { server, port } = await listen()
    const call = http.request({ host: '127.0.0.1', port, method: 'POST' }).end()
    const [reply] = (await once(call, 'response')) as [http.IncomingMessage]
    expect(reply.statusCode).toBe(200)
    await server.close()
  })

  test.each([
    { what: 'an unknown method', sent: 'BREW / HTTP/1.1\r\nhost: localhost\r\n\r\n', status: '405' },
    { what: 'long headers', sent: `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, status: '431' },
    { what: 'no HTTP at all', sent: 'GET / HTTP/9.9\r\n\r\n', status: '400' },
  ])('$what is $status in the one error form', async ({ sent, status }) => {
    const { server, port } = await listen()
    const [head = '', body = ''] = (await say(port, sent)).split('\r\n\r\n')
    expect(head.split(' ')[1]).toBe(status)
    expect(JSON.parse(body)).toEqual({ error: expect.any(String) })
    await server.close()
  })

  test('a body that does not arrive is cut', async () => {
    const { server, port } = await listen({ requestTimeoutMs: 50 })
    const head =
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n'
    expect(await say(port, `${head}{"never":`)).toContain('408 Request Timeout')
    await server.close()
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import { serveHttp, serveSocket } from '../../testing/local-server.ts'
import { outboundError, setUpOutbound } from '../../testing/outbound.ts'
import { createToolCalls, type ToolCall, type ToolCalls } from './tool-calls.ts'

const { started } = setUpOutbound()
const opened: ToolCalls[] = []
afterEach(async () => {
  for (const calls of opened.splice(0)) await calls.close()
})

function callsTo(hosts: string[], deadlineMs?: number) {
  const calls = createToolCalls({ hosts, ...(deadlineMs !== undefined && { deadlineMs }) })
  opened.push(calls)
  return calls
}

const toCall = (url: string, call: Partial<ToolCall> = {}): ToolCall => ({
  method: 'POST',
  url,
  headers: {},
  body: '{}',
  signal: new AbortController().signal,
  ...call,
})

describe('a call of a service', () => {
  test('has its method, headers and body, and any status is an answer', async () => {
    const seen: unknown[] = []
    const server = await started(
      serveHttp(async (request, reply) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { method, url, headers } = request
        seen.push({ method, url, own: headers['x-own'], body: Buffer.concat(chunks).toString() })
        reply.writeHead(429, { 'content-type': 'application/json', 'retry-after': '2' }).end('{"a": 1}')
      }),
    )
    const host = `127.0.0.1:${server.port}`
    const call = toCall(`http://${host}/a?b=1`, { method: 'PATCH', headers: { 'X-Own': 'c' }, body: 'd' })
    expect(await callsTo([host]).call(call)).toEqual({
      status: 429,
      contentType: 'application/json',
      text: '{"a": 1}',
      retryAfterMs: 2_000,
    })
    expect(seen).toEqual([{ method: 'PATCH', url: '/a?b=1', own: 'c', body: 'd' }])
  })

  test('follows no redirect', async () => {
    const server = await started(
      serveHttp((_, reply) => reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
    )
    const host = `127.0.0.1:${server.port}`
    expect(await callsTo([host]).call(toCall(`http://${host}/`))).toMatchObject({ status: 302 })
    expect(server.hits()).toBe(1)
  })

  test.each([
    ['http://shop.example/', [], 'services are called by https only'],
    ['https://127.0.0.1/', [], 'not on the public internet'],
    ['https://[::ffff:a9fe:a9fe]/', [], 'not on the public internet'],
    ['https://shop.example/', ['crm.internal'], 'this host is not on the list'],
    ['http://crm.internal:81/', ['crm.internal:80'], 'this host is not on the list'],
  ])('to %s is refused where %j may be called', async (url, hosts, message) => {
    await expect(callsTo(hosts).call(toCall(url))).rejects.toThrow(message)
  })

  test('says whether it may have happened where no answer came', async () => {
    const broken = await started(serveSocket((socket) => socket.once('data', () => socket.resetAndDestroy())))
    const silent = await started(serveSocket(() => undefined))
    const closed = await started(serveSocket(() => undefined))
    await closed.close()
    const hosts = [broken, silent, closed].map(({ port }) => `127.0.0.1:${port}`)
    const { call } = callsTo(hosts, 300)
    const [reset, late, refused] = await Promise.allSettled(
      hosts.map((host) => call(toCall(`http://${host}/`))),
    )
    expect(reset).toMatchObject({ reason: { mayHaveHappened: true } })
    const timeout = { mayHaveHappened: true, message: expect.stringContaining('did not answer within') }
    expect(late).toMatchObject({ reason: timeout })
    const closedPort = { mayHaveHappened: false, message: expect.stringContaining('refused the connection') }
    expect(refused).toMatchObject({ reason: closedPort })
  })

  test('may have happened where its answer is cut off or never ends', async () => {
    const server = await started(
      serveHttp((request, reply) => {
        reply.writeHead(200, { 'content-type': 'text/plain', 'content-length': '9' })
        if (request.url === '/cut') return void reply.write('abc', () => reply.destroy())
        const drip = setInterval(() => reply.write('a'), 100)
        reply.on('close', () => clearInterval(drip))
      }),
    )
    const host = `127.0.0.1:${server.port}`
    const { call } = callsTo([host], 500)
    await expect(call(toCall(`http://${host}/cut`))).rejects.toMatchObject({ mayHaveHappened: true })
    await expect(call(toCall(`http://${host}/drip`))).rejects.toMatchObject({
      mayHaveHappened: true,
      message: expect.stringContaining('did not answer within'),
    })
  })

  test('has happened where its answer can’t be used', async () => {
    const server = await started(
      serveHttp((request, reply) => {
        if (request.url === '/image') reply.writeHead(200, { 'content-type': 'image/png' }).end('x')
        else if (request.url === '/binary') reply.writeHead(200, { 'content-type': 'text/plain' }).end('a\0b')
        else reply.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(2_000_000))
      }),
    )
    const host = `127.0.0.1:${server.port}`
    const { call } = callsTo([host])
    const at = (path: string) => call(toCall(`http://${host}${path}`))
    await expect(at('/image')).rejects.toEqual(outboundError('unsupported_type'))
    await expect(at('/huge')).rejects.toEqual(outboundError('too_large'))
    await expect(at('/binary')).rejects.toEqual(outboundError('bad_content'))
  })
})

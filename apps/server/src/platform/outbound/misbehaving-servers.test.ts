import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { serveHttp, serveSocket } from '../../testing/local-server.ts'
import { LOOPBACK, outboundError, setUpOutbound } from '../../testing/outbound.ts'
import { createOutbound, type OutboundErrorCode } from './outbound.ts'

const { outboundTo, started } = setUpOutbound()

describe('servers that misbehave', () => {
  const faults: {
    is: string
    code: OutboundErrorCode
    write: (socket: Socket) => void
  }[] = [
    { is: 'resets', code: 'unreachable', write: (socket) => socket.resetAndDestroy() },
    { is: 'hangs up', code: 'unreachable', write: (socket) => socket.end() },
    { is: 'speaks another language', code: 'bad_content', write: (socket) => socket.end('SSH-2.0-x\r\n') },
    {
      is: 'sends a broken status line',
      code: 'bad_content',
      write: (socket) => socket.end('HTTP/1.1 abc\r\n\r\n'),
    },
    {
      is: 'sends a broken header',
      code: 'bad_content',
      write: (socket) => socket.end('HTTP/1.1 200 OK\r\nbad header\r\n\r\n'),
    },
    {
      is: 'sends broken chunks',
      code: 'bad_content',
      write: (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    },
    {
      is: 'sends a length and chunks at once',
      code: 'bad_content',
      write: (socket) =>
        socket.end(
          'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
        ),
    },
    {
      is: 'stops before its length',
      code: 'unreachable',
      write: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    },
    {
      is: 'resets in the middle',
      code: 'unreachable',
      write: (socket) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', () => socket.resetAndDestroy()),
    },
    {
      is: 'sends endless headers',
      code: 'too_large',
      write: (socket) =>
        Readable.from(
          (function* () {
            yield 'HTTP/1.1 200 OK\r\n'
            while (true) yield `x-a: ${'b'.repeat(1000)}\r\n`
          })(),
        ).pipe(socket),
    },
    {
      is: 'switches protocols',
      code: 'unreachable',
      write: (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    },
  ]

  test.each(faults)(
    'Every fault of the other side is one clear sentence. ($is, $code)',
    async ({ code, write }) => {
      const server = await started(serveSocket((socket) => socket.once('data', () => write(socket))))
      const fetched = outboundTo(`local.test:${server.port}`).fetchText({
        url: `http://local.test:${server.port}/?key=secret`,
      })
      await expect(fetched).rejects.toEqual(outboundError(code, /^[A-Z][\w’ ]+$/))
      await expect.poll(server.open).toBe(0)
    },
  )

  test('a closed port says so', async () => {
    const server = await started(serveSocket(() => {}))
    await server.close()
    const fetched = outboundTo(`local.test:${server.port}`).fetchText({
      url: `http://local.test:${server.port}/`,
    })
    await expect(fetched).rejects.toEqual(outboundError('unreachable', 'The address refused the connection'))
  })
})

describe('the deadline', () => {
  const drip = async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    while (!response.destroyed) {
      response.write('x')
      await pause(20)
    }
  }

  test.each([
    { is: 'no header', answer: () => {} },
    { is: 'no body', answer: (response: ServerResponse) => response.writeHead(200).flushHeaders() },
    { is: 'a drip of a body', answer: drip },
    {
      is: 'one slow redirect after the other',
      answer: async (response: ServerResponse) => {
        await pause(100)
        response.writeHead(302, { location: '/' }).end()
      },
    },
  ])('A fetch lasts 10 s at most, even when it drips. ($is)', async ({ answer }) => {
    const server = await started(serveHttp((_request, response) => void answer(response)))
    const outbound = createOutbound({
      allowHosts: [`local.test:${server.port}`],
      resolve: async () => [LOOPBACK],
      deadlineMs: 250,
    })
    await expect(outbound.fetchText({ url: `http://local.test:${server.port}/` })).rejects.toEqual(
      outboundError('timeout', 'The address did not answer within 0.25 seconds'),
    )
    await expect.poll(server.open).toBe(0)
  })

  test.each(['http', 'https'])('a name that nobody answers for is given up, by %s', async (scheme) => {
    const outbound = createOutbound({ allowHosts: [], resolve: () => new Promise(() => {}), deadlineMs: 100 })
    const fetched = outbound.fetchText({ url: `${scheme}://silent.test/` })
    await expect(fetched).rejects.toEqual(outboundError('timeout'))
  })

  test('a handshake that never comes is given up', async () => {
    const server = await started(serveSocket((socket) => socket.resume()))
    const outbound = createOutbound({
      allowHosts: [`local.test:${server.port}`],
      resolve: async () => [LOOPBACK],
      deadlineMs: 100,
    })
    const fetched = outbound.fetchText({ url: `https://local.test:${server.port}/` })
    await expect(fetched).rejects.toEqual(outboundError('timeout'))
    await expect.poll(server.open).toBe(0)
  })
})

describe('stopping', () => {
  test('a caller that goes away ends its fetch', async () => {
    const server = await started(serveHttp(() => {}))
    const controller = new AbortController()
    const outbound = outboundTo(`local.test:${server.port}`)
    const request = { url: `http://local.test:${server.port}/`, signal: controller.signal }
    const fetched = outbound.fetchText(request)
    await expect.poll(server.hits).toBe(1)
    controller.abort()
    await expect(fetched).rejects.toEqual(outboundError('aborted'))
    await expect.poll(server.open).toBe(0)
    await expect(outbound.fetchText(request)).rejects.toEqual(outboundError('aborted'))
    expect(server.hits()).toBe(1)
  })

  test('closing ends every fetch', async () => {
    const server = await started(serveHttp(() => {}))
    const outbound = outboundTo(`local.test:${server.port}`)
    const fetched = [1, 2].map(() => outbound.fetchText({ url: `http://local.test:${server.port}/` }))
    const ended = Promise.allSettled(fetched)
    await expect.poll(server.hits).toBe(2)
    await outbound.close()
    expect(await ended).toEqual([1, 2].map(() => ({ status: 'rejected', reason: outboundError('aborted') })))
    await expect.poll(server.open).toBe(0)
  })
})

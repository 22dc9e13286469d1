import { describe, expect, test } from 'vitest'
import { HOSTILE_URLS } from '../../testing/hostile-network/hostile-hosts.ts'
import { serveHttp, serveHttps, serveSocket } from '../../testing/local-server.ts'
import { BLOCKED, LOOPBACK, outboundError, setUpOutbound } from '../../testing/outbound.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'
import { createOutbound } from './outbound.ts'

const { outboundTo, started } = setUpOutbound()

trustTestCertificate()

describe('addresses', () => {
  test.each(HOSTILE_URLS)('%s is refused', async (url) => {
    await expect(createOutbound({ allowHosts: [] }).fetchText({ url })).rejects.toEqual(BLOCKED)
  })

  test.each(['private.test', 'mapped.test', 'mixed.test', 'zone.test', 'local.test'])(
    'the name %s is refused for one of its addresses',
    async (host) => {
      await expect(outboundTo().fetchText({ url: `http://${host}/` })).rejects.toEqual(BLOCKED)
      await expect(outboundTo().fetchText({ url: `https://${host}/` })).rejects.toEqual(BLOCKED)
    },
  )

  test.each(['nothing.test', 'unknown.test'])('the name %s leads nowhere', async (host) => {
    const fetched = outboundTo().fetchText({ url: `http://${host}/?key=secret` })
    await expect(fetched).rejects.toEqual(
      outboundError('unreachable', /^The name of the address could not be found$/),
    )
  })

  test.each([
    ...['', 'nonsense', '/path', '//host/path', 'http://', 'http://[::1', 'http://[fe80::1%25lo]/'],
    ...[
      'http://256.1.1.1/',
      'http://a b/',
      'file:///etc/passwd',
      'ftp://example.org/',
      'gopher://example.org/',
    ],
    ...['data:text/plain,x', 'javascript:1', 'ws://example.org/', 'unix:/run/socket'],
    ...['http://user@example.org/', 'http://:secret@example.org/', 'https://user:secret@example.org/'],
  ])('Only http and https are fetched, without credentials in the address. (%j)', async (url) => {
    await expect(outboundTo().fetchText({ url })).rejects.toEqual(outboundError('invalid_url', /^[^/:@]+$/))
  })

  test('The resolved address of a fetch is checked when it connects, literal, mapped and rebound ones too.', async () => {
    let received = 0
    const server = await started(
      serveHttp((_request, response) => {
        received += 1
        response.end()
      }),
    )
    const url = `http://rebinding.test:${server.port}/`
    await expect(outboundTo().fetchText({ url })).rejects.toEqual(BLOCKED)
    expect(server.hits()).toBe(1)
    expect(received).toBe(0)
  })

  test('a name is looked up once a connection', async () => {
    const server = await started(serveHttp((_request, response) => response.end('here')))
    let lookups = 0
    const outbound = createOutbound({
      allowHosts: [`local.test:${server.port}`],
      resolve: async () => {
        lookups += 1
        return [LOOPBACK]
      },
    })
    await outbound.fetchText({ url: `http://local.test:${server.port}/` })
    expect(lookups).toBe(1)
    await outbound.fetchText({ url: `http://local.test:${server.port}/` })
    expect(lookups).toBe(2)
    expect(server.hits()).toBe(2)
  })
})

describe('hosts that are allowed although private', () => {
  test('`FETCH_ALLOW_HOSTS` lets exactly its hosts through (D1).', async () => {
    const here = await started(serveHttp((_request, response) => response.end('here')))
    const other = await started(serveHttp((_request, response) => response.end('other')))
    const outbound = outboundTo(`local.test:${here.port}`)
    const fetched = outbound.fetchText({ url: `http://LOCAL.test:${here.port}/a?b#c` })
    expect(await fetched).toMatchObject({ text: 'here', url: `http://local.test:${here.port}/a?b#c` })
    for (const host of [`local.test:${other.port}`, `127.0.0.1:${here.port}`]) {
      await expect(outbound.fetchText({ url: `http://${host}/` }), host).rejects.toEqual(BLOCKED)
    }
    expect(other.hits()).toBe(0)
    expect(here.hits()).toBe(1)
  })

  test('an address stands for all its spellings, but not for other addresses', async () => {
    const server = await started(serveHttp((_request, response) => response.end('here')))
    const outbound = outboundTo(`127.0.0.1:${server.port}`)
    expect(await outbound.fetchText({ url: `http://0x7f.1:${server.port}/` })).toMatchObject({ text: 'here' })
    for (const host of ['127.0.0.2', '[::ffff:127.0.0.1]', 'local.test']) {
      await expect(outbound.fetchText({ url: `http://${host}:${server.port}/` }), host).rejects.toEqual(
        BLOCKED,
      )
    }
  })

  test('an entry without a port means the default port of the scheme', async () => {
    const server = await started(serveHttp((_request, response) => response.end('here')))
    const outbound = outboundTo('local.test')
    await expect(outbound.fetchText({ url: `http://local.test:${server.port}/` })).rejects.toEqual(BLOCKED)
    for (const url of ['http://local.test/', 'https://local.test/', 'https://local.test:443/']) {
      await expect(outbound.fetchText({ url }), url).rejects.not.toEqual(BLOCKED)
    }
    for (const url of ['http://local.test:443/', 'https://local.test:80/']) {
      await expect(outbound.fetchText({ url }), url).rejects.toEqual(BLOCKED)
    }
  })
})

describe('TLS', () => {
  test('a trusted certificate of the name passes, another name’s does not', async () => {
    const server = await started(serveHttps((_request, response) => response.end('secure')))
    const outbound = outboundTo(`secure.test:${server.port}`, `local.test:${server.port}`)
    const url = `https://secure.test:${server.port}/`
    expect(await outbound.fetchText({ url })).toMatchObject({ text: 'secure', url })
    const other = outbound.fetchText({ url: `https://local.test:${server.port}/` })
    await expect(other).rejects.toEqual(
      outboundError('unreachable', /^The certificate of the address is not trusted$/),
    )
  })

  test('no handshake is begun with an address that is not allowed', async () => {
    let bytes = 0
    const server = await started(serveSocket((socket) => socket.on('data', (data) => (bytes += data.length))))
    const fetched = outboundTo().fetchText({ url: `https://rebinding.test:${server.port}/` })
    await expect(fetched).rejects.toEqual(BLOCKED)
    await expect.poll(server.open).toBe(0)
    expect({ hits: server.hits(), bytes }).toEqual({ hits: 1, bytes: 0 })
  })
})

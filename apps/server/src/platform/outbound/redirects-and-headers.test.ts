import { describe, expect, test } from 'vitest'
import { serveHttp, serveHttps } from '../../testing/local-server.ts'
import { BLOCKED, outboundError, setUpOutbound } from '../../testing/outbound.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

const { outboundTo, started } = setUpOutbound()

trustTestCertificate()

describe('redirects', () => {
  const redirecting = (location: string, status = 302) =>
    started(serveHttp((_request, response) => response.writeHead(status, { location }).end('moved')))

  test.each([301, 302, 303, 307, 308])('%i is followed', async (status) => {
    const target = await started(serveHttp((_request, response) => response.end('arrived')))
    const server = await redirecting(`http://local.test:${target.port}/there`, status)
    const outbound = outboundTo(`local.test:${target.port}`, `local.test:${server.port}`)
    expect(await outbound.fetchText({ url: `http://local.test:${server.port}/` })).toMatchObject({
      text: 'arrived',
      url: `http://local.test:${target.port}/there`,
    })
  })

  test.each([
    ...[
      'http://127.0.0.1:{port}/',
      '//127.0.0.1:{port}/',
      'http://private.test/',
      'http://[::ffff:7f00:1]:{port}/',
    ],
    'http://169.254.169.254/latest/meta-data/',
  ])('one to %s is refused', async (location) => {
    const inner = await started(serveHttp((_request, response) => response.end('inner')))
    const server = await redirecting(location.replace('{port}', String(inner.port)))
    const outbound = outboundTo(`local.test:${server.port}`)
    await expect(outbound.fetchText({ url: `http://local.test:${server.port}/` })).rejects.toEqual(BLOCKED)
    expect(inner.hits()).toBe(0)
  })

  test.each(['file:///etc/passwd', 'http://user:secret@local.test/', 'http://['])(
    'one to %s is refused as no address',
    async (location) => {
      const server = await redirecting(location)
      const fetched = outboundTo(`local.test:${server.port}`).fetchText({
        url: `http://local.test:${server.port}/`,
      })
      await expect(fetched).rejects.toEqual(outboundError('invalid_url'))
    },
  )

  test('At most 3 redirects are followed, and each is checked.', async () => {
    const server = await started(
      serveHttp(({ url }, response) => {
        const left = Number(url?.slice(1))
        if (left === 0) response.end('arrived')
        else response.writeHead(302, { location: `/${left - 1}` }).end()
      }),
    )
    const outbound = outboundTo(`local.test:${server.port}`)
    const from = (left: number) => outbound.fetchText({ url: `http://local.test:${server.port}/${left}` })
    expect(await from(3)).toMatchObject({ text: 'arrived' })
    await expect(from(4)).rejects.toEqual(outboundError('too_many_redirects'))
    expect(server.hits()).toBe(8)
  })

  test('a redirect without a target is its status', async () => {
    const server = await started(serveHttp((_request, response) => response.writeHead(302).end()))
    const fetched = outboundTo(`local.test:${server.port}`).fetchText({
      url: `http://local.test:${server.port}/`,
    })
    await expect(fetched).rejects.toEqual(outboundError('bad_status', /302/))
  })
})

describe('headers', () => {
  const echo = () => started(serveHttp(({ headers }, response) => response.end(JSON.stringify(headers))))
  const secret = { Authorization: 'Bearer secret', 'X-Key': 'secret', Cookie: 'secret' }

  test('a caller’s headers arrive; those that frame the message are ours', async () => {
    const server = await echo()
    const reserved = {
      ...{ Host: 'inner.test', 'Content-Length': '5', Connection: 'keep-alive', Upgrade: 'websocket' },
      ...{
        'Transfer-Encoding': 'chunked',
        TE: 'trailers',
        Expect: '100-continue',
        'Keep-Alive': 'timeout=9',
      },
      ...{ 'Proxy-Authorization': 'secret', 'proxy-connection': 'keep-alive', 'Accept-Encoding': 'zstd' },
    }
    const { text } = await outboundTo(`local.test:${server.port}`).fetchText({
      url: `http://local.test:${server.port}/`,
      headers: { ...secret, Accept: 'application/json', ...reserved },
    })
    expect(JSON.parse(text)).toEqual({
      host: `local.test:${server.port}`,
      connection: 'close',
      'user-agent': 'Catenary',
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      ...{ authorization: 'Bearer secret', 'x-key': 'secret', cookie: 'secret' },
    })
  })

  test.each([
    { name: 'X-Key\r\nX-Other', value: '1' },
    { name: 'X Key', value: '1' },
    { name: '', value: '1' },
    { name: 'X-Key', value: 'secret\r\nX-Other: 1' },
    { name: 'X-Key', value: 'secret\0' },
    { name: 'X-Key', value: 'секрет' },
  ])('$name: $value is refused', async ({ name, value }) => {
    const fetched = outboundTo().fetchText({ url: 'http://local.test/', headers: { [name]: value } })
    await expect(fetched).rejects.toEqual(
      outboundError('blocked', /^A header has characters that HTTP does not allow$/),
    )
  })

  test('Headers are dropped when a redirect leaves the origin.', async () => {
    const seen: Record<string, unknown>[] = []
    const server = await started(
      serveHttp(({ headers, url }, response) => {
        seen.push({ url, key: headers['x-key'], authorization: headers.authorization })
        const path = url === '/same' ? '/leave' : `http://127.0.0.1:${server.port}/other`
        if (url === '/same' || url === '/leave') response.writeHead(307, { location: path }).end()
        else if (url === '/other') {
          response.writeHead(307, { location: `http://local.test:${server.port}/back` }).end()
        } else response.end('arrived')
      }),
    )
    const outbound = outboundTo(`local.test:${server.port}`, `127.0.0.1:${server.port}`)
    await outbound.fetchText({ url: `http://local.test:${server.port}/same`, headers: secret })
    expect(seen).toEqual([
      { url: '/same', key: 'secret', authorization: 'Bearer secret' },
      { url: '/leave', key: 'secret', authorization: 'Bearer secret' },
      { url: '/other', key: undefined, authorization: undefined },
      { url: '/back', key: undefined, authorization: undefined },
    ])
  })

  test('they do not follow from https to http', async () => {
    const plain = await echo()
    const secure = await started(
      serveHttps((_request, response) =>
        response.writeHead(302, { location: `http://secure.test:${plain.port}/` }).end(),
      ),
    )
    const outbound = outboundTo(`secure.test:${secure.port}`, `secure.test:${plain.port}`)
    const { text } = await outbound.fetchText({ url: `https://secure.test:${secure.port}/`, headers: secret })
    expect(text).not.toContain('secret')
  })
})

import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { serveHttp } from '../../testing/local-server.ts'
import { outboundError, setUpOutbound } from '../../testing/outbound.ts'

const MIB = 1024 * 1024
const { outboundTo, started } = setUpOutbound()

/** Fetches the one answer of a server, which must then have no connection left. */
async function fetchFrom(answer: (response: ServerResponse) => unknown) {
  const server = await started(serveHttp((_request, response) => void answer(response)))
  const fetching = outboundTo(`local.test:${server.port}`).fetchText({
    url: `http://local.test:${server.port}/?key=secret`,
  })
  await fetching.catch(() => {})
  await expect.poll(server.open).toBe(0)
  return await fetching
}

const endless = () =>
  Readable.from(
    (function* () {
      while (true) yield Buffer.alloc(65_536, 'x')
    })(),
  )

const fetchBody = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
  fetchFrom((response) => response.writeHead(200, headers).end(body))

describe('types', () => {
  test.each([
    ...['text/plain', 'text/html; charset=utf-8', 'TEXT/CSV', 'application/json', 'application/problem+json'],
    ...[
      'application/xml',
      'application/rss+xml',
      'image/svg+xml',
      'application/javascript',
      'application/yaml',
    ],
    ...[
      'application/x-yaml',
      'application/x-ndjson',
      'application/vnd.api+json;profile="a"',
      'text/event-stream',
    ],
    'application/x-www-form-urlencoded',
  ])('%s is text', async (contentType) => {
    const reply = await fetchBody('{"a":1}', { 'content-type': contentType })
    expect(reply).toMatchObject({ status: 200, contentType, text: '{"a":1}' })
  })

  test.each([
    ...[
      'image/png',
      'application/octet-stream',
      'application/pdf',
      'application/zip',
      'video/mp4',
      'font/woff2',
    ],
    ...['multipart/form-data; boundary=x', 'application/jsonp', 'textual/plain', 'nonsense', 'x text/plain'],
  ])('%s is not', async (contentType) => {
    await expect(fetchBody('{"a":1}', { 'content-type': contentType })).rejects.toEqual(
      outboundError(
        'unsupported_type',
        /^The address answered with something other than text( \([\w/.-]+\))?$/,
      ),
    )
  })

  test('without a type the bytes decide', async () => {
    expect(await fetchBody('größer')).toMatchObject({ contentType: '', text: 'größer' })
    await expect(fetchBody(Buffer.from([0xff, 0xd8, 0xff]))).rejects.toEqual(outboundError('bad_content'))
  })

  test.each(['', 'text/plain', 'application/json'])('NUL bytes are no text, as %j neither', async (type) => {
    const fetched = fetchBody('a\0b', type === '' ? {} : { 'content-type': type })
    await expect(fetched).rejects.toEqual(outboundError('bad_content', /binary/))
  })
})

describe('character sets', () => {
  test.each([
    { charset: 'utf-8', bytes: Buffer.from('Größe €') },
    { charset: '"UTF-8"', bytes: Buffer.from('\ufeffGröße €') },
    { charset: 'windows-1252', bytes: Buffer.from('Gr\xf6\xdfe \x80', 'latin1') },
    { charset: 'iso-8859-15', bytes: Buffer.from('Gr\xf6\xdfe \xa4', 'latin1') },
    { charset: 'utf-16le', bytes: Buffer.from('Größe €', 'utf16le') },
  ])('$charset is read', async ({ charset, bytes }) => {
    const reply = await fetchBody(bytes, { 'content-type': `text/plain;charset=${charset}` })
    expect(reply.text).toBe('Größe €')
  })

  test('an unknown one is named, a wrong one refused', async () => {
    await expect(fetchBody('a', { 'content-type': 'text/plain; charset=klingon' })).rejects.toEqual(
      outboundError('bad_content', 'The answer is in a character set that is not supported (klingon)'),
    )
    const latin = Buffer.from('Gr\xf6\xdfe', 'latin1')
    await expect(fetchBody(latin, { 'content-type': 'text/plain' })).rejects.toEqual(
      outboundError('bad_content', 'The answer is not valid text in UTF-8'),
    )
  })
})

describe('size', () => {
  test('A reply has at most 1 MiB once decoded; packed bombs stop early.', async () => {
    expect((await fetchBody('x'.repeat(MIB))).text).toHaveLength(MIB)
    await expect(fetchBody('x'.repeat(MIB + 1))).rejects.toEqual(outboundError('too_large', /1 MiB/))
  })

  test.each([
    { encoding: 'gzip', pack: gzipSync },
    { encoding: 'X-GZIP', pack: gzipSync },
    { encoding: 'deflate', pack: deflateSync },
    { encoding: 'br', pack: brotli },
  ])('$encoding is unpacked up to 1 MiB', async ({ encoding, pack }) => {
    const packed = (text: string) => fetchBody(pack(Buffer.from(text)), { 'content-encoding': encoding })
    expect((await packed('Größe'.repeat(1000))).text).toBe('Größe'.repeat(1000))
    expect((await packed('x'.repeat(MIB))).text).toHaveLength(MIB)
    await expect(packed('x'.repeat(MIB + 1))).rejects.toEqual(outboundError('too_large'))
    await expect(packed('\0'.repeat(200 * MIB))).rejects.toEqual(outboundError('too_large'))
  })

  test('an endless answer, packed or not, is cut', async () => {
    await expect(fetchFrom((response) => endless().pipe(response))).rejects.toEqual(
      outboundError('too_large'),
    )
    const packed = fetchFrom((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      endless().pipe(createGzip()).pipe(response)
    })
    await expect(packed).rejects.toEqual(outboundError('too_large'))
  })

  test('packed data that never becomes text is cut as well', async () => {
    const emptyMember = gzipSync('')
    const endless = Readable.from(
      (function* () {
        while (true) yield Buffer.concat(Array(500).fill(emptyMember))
      })(),
    )
    const fetched = fetchFrom((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      endless.pipe(response)
    })
    await expect(fetched).rejects.toEqual(outboundError('too_large'))
  })

  test.each([
    { is: 'no gzip', encoding: 'gzip', body: Buffer.from('plain text') },
    { is: 'a gzip cut short', encoding: 'gzip', body: gzipSync('x'.repeat(1000)).subarray(0, 20) },
    { is: 'no brotli', encoding: 'br', body: Buffer.from('plain text') },
    { is: 'no deflate', encoding: 'deflate', body: Buffer.from('plain text') },
    { is: 'twice packed', encoding: 'gzip, gzip', body: gzipSync(gzipSync('x')) },
    { is: 'an unknown packing', encoding: 'zstd', body: Buffer.from('x') },
  ])('$is is refused as damaged or unknown', async ({ encoding, body }) => {
    const fetched = fetchBody(body, { 'content-encoding': encoding })
    await expect(fetched).rejects.toEqual(outboundError('bad_content', /decompressed|compression/))
  })
})

describe('statuses', () => {
  test.each([200, 201, 203, 206])('%i is an answer', async (status) => {
    expect(await fetchFrom((response) => response.writeHead(status).end('a'))).toMatchObject({
      status,
      text: 'a',
    })
  })

  test('204 is an empty answer', async () => {
    expect(await fetchFrom((response) => response.writeHead(204).end())).toMatchObject({
      status: 204,
      text: '',
    })
  })

  test.each([300, 304, 400, 401, 403, 404, 418, 429, 500, 503, 599])('%i is named', async (status) => {
    await expect(fetchFrom((response) => response.writeHead(status).end('secret'))).rejects.toEqual(
      outboundError('bad_status', `The address answered with status ${status}`),
    )
  })

  test.each([
    { status: 404, type: 'text/plain', code: 'bad_status' },
    { status: 200, type: 'image/png', code: 'unsupported_type' },
  ] as const)(
    'the body of an answer with $code is not read, however long',
    async ({ status, type, code }) => {
      const fetched = fetchFrom((response) =>
        endless().pipe(response.writeHead(status, { 'content-type': type })),
      )
      await expect(fetched).rejects.toEqual(outboundError(code))
    },
  )
})

/** At the quickest quality: the usual one takes seconds for 200 MiB. */
function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBareHttp } from '../../testing/bare-http.ts'
import type { HttpApp } from './routes.ts'

let http: HttpApp
beforeAll(async () => {
  const callers = { '/take': { POST: 'guest' }, '/much': { POST: { who: 'guest', values: 30_000 } } } as const
  http = await createBareHttp({ admission: { callers, doors: {} as never } })
  for (const url of ['/take', '/much']) {
    http.post(url, { config: { crossSiteCheck: false } }, async ({ body }) => ({ body }))
  }
})
afterAll(() => http.close())

async function send(
  payload: string | Buffer,
  { url = '/take', ...headers }: { url?: string; [name: string]: string | undefined } = {},
) {
  const reply = await http.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return [reply.statusCode, reply.json().error ?? reply.json().body]
}

test.each([
  ['gzip', 'gzip'],
  [' GZIP ', 'gzip'],
  ['br', 'br'],
  ['gzip, "<b>"', 'an encoding'],
])('A compressed body is refused with the name of its encoding. (%s)', async (encoding, name) => {
  const refusal = `The body is compressed (${name}): send it uncompressed, without Content-Encoding`
  expect(await send(gzipSync('{}'), { 'content-encoding': encoding })).toEqual([415, refusal])
})

test('a body in no other encoding is taken, also where a byte order mark is before it', async () => {
  expect(await send('{"a":"é"}', { 'content-encoding': 'identity' })).toEqual([200, { a: 'é' }])
  expect(await send('\ufeff{"a":1}')).toEqual([200, { a: 1 }])
})

test('a body holds as many values as its route allows, of whatever kind', async () => {
  const of = (count: number) => JSON.stringify(Array.from({ length: count - 1 }, () => 0))
  expect((await send(of(20_000)))[0]).toBe(200)
  expect(await send(of(20_001))).toEqual([400, 'At most 20,000 values in a body'])
  expect((await send(of(30_000), { url: '/much' }))[0]).toBe(200)
  expect(await send(of(30_001), { url: '/much' })).toEqual([400, 'At most 30,000 values in a body'])
  expect(await send(`[${'{},'.repeat(300_000)}`)).toEqual([400, 'At most 20,000 values in a body'])
})

test.each([
  ['{"a":{"__proto__":1}}', 'The key __proto__ is not allowed'],
  ['{"\\u005f_proto__":1}', 'The key __proto__ is not allowed'],
  ['{"constructor":{"prototype":1}}', 'The key prototype is not allowed'],
  ['[{"a":[{"constructor":{"b":1,"prototype":1}}]}]', 'The key prototype is not allowed'],
  ['{"a":"\\u0000"}', 'Text must not contain NUL bytes'],
  ['{"a\\u0000":1}', 'Text must not contain NUL bytes'],
  ['{"a":"\\uD800"}', 'Text must be valid Unicode'],
  ['{"a":"\\udc00\\ud800"}', 'Text must be valid Unicode'],
  ['{"__proto__":1', 'The body is not valid JSON'],
])('%s is refused: %s', async (body, message) => {
  expect(await send(body)).toEqual([400, message])
})

test.each([
  '{"prototype":{"constructor":1}}',
  '{"constructor":1}',
  '{"constructor":[{"prototype":1}]}',
  '{"a":"__proto__","b":"{\\"__proto__\\":1}"}',
  '{"a":"\\ud83d\\ude00"}',
  '{"a":"\\\\u0000"}',
])('%s is taken', async (body) => {
  expect(await send(body)).toEqual([200, JSON.parse(body)])
})

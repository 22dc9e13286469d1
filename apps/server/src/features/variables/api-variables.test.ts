import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { ProxyReply, Variable } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variableFetches } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { startLibraryWithApi } from '../../testing/variables.ts'

const MIB = 1024 * 1024
const BLOCKED = 'This address is not allowed: it is not on the public internet'
const PLACEHOLDER = 'API content will appear here after fetching'

const bomb = gzipSync(Buffer.alloc(50 * MIB, ' '))
let served = 0
const send = (
  response: ServerResponse,
  {
    status = 200,
    type = 'application/json',
    body = '',
  }: object & {
    status?: number
    type?: string
    body?: string | Buffer
  },
) => response.writeHead(status, { 'content-type': type }).end(body)

const pages: Record<string, (response: ServerResponse) => unknown> = {
  '/json': (response) => send(response, { body: '{"id":12345678901234567890,"tags":["a"],"none":{}}' }),
  '/text': (response) => send(response, { type: 'text/plain; charset=utf-8', body: ' Grüße 👋🏽\n' }),
  '/text?key=s3cret': (response) => send(response, { type: 'text/plain', body: 'opened' }),
  '/wrong': (response) => send(response, { body: '{"half":' }),
  '/deep': (response) => send(response, { body: '['.repeat(200_000) + ']'.repeat(200_000) }),
  '/slow': () => {},
  '/drip': (response) => {
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  '/huge': (response) => send(response, { body: `"${'x'.repeat(MIB)}"` }),
  '/bomb': (response) => {
    response.setHeader('content-encoding', 'gzip')
    send(response, { body: bomb })
  },
  '/image': (response) => send(response, { type: 'image/png', body: 'x' }),
  '/binary': (response) => send(response, { type: 'text/plain', body: 'a\0b' }),
  '/401': (response) => send(response, { status: 401, body: '{"error":"who are you"}' }),
  '/500': (response) => send(response, { status: 500 }),
  '/headers': (response) => send(response, { body: JSON.stringify(response.req.headers) }),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/moved': (response) => response.writeHead(302, { location: '/json' }).end(),
  '/inside': (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/count': (response) => {
    served += 1
    send(response, { body: `${served}` })
  },
}

describe.each(routeDatabaseKinds)('API variables on %s', (kind) => {
  let library: Awaited<ReturnType<typeof startLibraryWithApi>>
  let clock = new Date('2026-11-20T10:00:00Z')
  let created = 0
  beforeAll(async () => {
    library = await startLibraryWithApi(kind, {
      now: () => clock,
      listener: ({ url = '' }, response) => void (pages[url] ?? pages['/500'])?.(response),
    })
  })
  afterAll(() => library.close())

  const create = (as: TestUser, path: string, fields: object = {}) => {
    created += 1
    const apiUrl = path.startsWith('http') ? path : `${library.api}${path}`
    return library.createVariable(as, { name: `api_${created}`, type: 'api', content: '', apiUrl, ...fields })
  }
  const proxy = ({ id, apiUrl }: Pick<Variable, 'id' | 'apiUrl'>, as?: TestUser) =>
    library.request({ url: `/api/proxy?${new URLSearchParams({ url: apiUrl, variableId: `${id}` })}`, as })
  const content = async ({ id }: Variable, as?: TestUser) =>
    (await library.request({ url: `/api/variables/${id}/content`, as })).body
  const preview = async ({ id }: Variable, as?: TestUser) =>
    (await library.request({ url: `/api/variables/${id}/preview`, as })).body

  const tryAddress = (body: object, as?: TestUser) =>
    library.request({ method: 'POST', url: '/api/proxy', body, as })

  test('An API variable’s address can be tried before it is saved, behind the same guard.', async () => {
    const { owner, hits } = library
    const apiUrl = `${library.api}/headers`
    await library.createVariable(owner, {
      name: 'with_headers',
      type: 'api',
      content: '',
      apiUrl,
      apiHeaders: { authorization: 'stored' },
    })
    const reply = await tryAddress({ apiUrl, apiHeaders: { 'x-key': 'typed' } }, owner)
    expect(reply.headers['cache-control']).toBe('no-store')
    const { content } = reply.body as ProxyReply
    expect(JSON.parse(content)).toMatchObject({ 'x-key': 'typed' })
    expect(content).not.toContain('stored')
    const before = hits()
    expect((await tryAddress({ apiUrl })).status).toBe(401)
    const refused = ['', 'ftp://example.org/', 'http://a:b@example.org/', 'no address']
    for (const apiUrl of refused) expect((await tryAddress({ apiUrl }, owner)).status, apiUrl).toBe(400)
    expect((await tryAddress({ apiUrl, apiHeaders: '{' }, owner)).status).toBe(400)
    expect(hits()).toBe(before)
  })

  test('JSON comes with two spaces of indent and its numbers whole, text as it is', async () => {
    const { owner } = library
    const json = await create(owner, '/json')
    const pretty = '{\n  "id": 12345678901234567890,\n  "tags": [\n    "a"\n  ],\n  "none": {}\n}'
    const reply = await proxy(json, owner)
    expect([reply.status, reply.body]).toEqual([
      200,
      { content: pretty, contentType: 'application/json', fetchedAt: clock.toISOString() },
    ])
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(await content(json, owner)).toEqual({ content: pretty })
    expect(await preview(json, owner)).toEqual({ preview: pretty })
    const text = await create(owner, '/text')
    expect((await proxy(text, owner)).body).toMatchObject({
      content: ' Grüße 👋🏽\n',
      contentType: 'text/plain; charset=utf-8',
    })
    expect((await proxy(await create(owner, '/moved'), owner)).body).toMatchObject({ content: pretty })
  })

  test('what says that it is JSON and is none, or nests beyond measure, comes as it is', async () => {
    const { owner } = library
    expect(await content(await create(owner, '/wrong'), owner)).toEqual({ content: '{"half":' })
    const deep = (await content(await create(owner, '/deep'), owner)) as { content: string }
    expect(deep.content.length).toBe(400_000)
  })

  test.each([
    { path: '/slow', status: 502, error: 'The address did not answer within 2 seconds' },
    { path: '/drip', status: 502, error: 'The address did not answer within 2 seconds' },
    { path: '/huge', status: 502, error: 'The answer is larger than 1 MiB' },
    { path: '/bomb', status: 502, error: 'The answer is larger than 1 MiB' },
    { path: '/image', status: 502, error: 'The address answered with something other than text (image/png)' },
    { path: '/binary', status: 502, error: 'The address answered with binary data' },
    { path: '/401', status: 502, error: 'The address answered with status 401' },
    { path: '/500', status: 502, error: 'The address answered with status 500' },
    { path: '/loop', status: 502, error: 'The address redirects more than 3 times' },
    { path: '/inside', status: 400, error: BLOCKED },
    { path: 'http://127.0.0.1:9/', status: 400, error: BLOCKED },
    { path: 'http://[::ffff:a9fe:a9fe]/', status: 400, error: BLOCKED },
  ])(
    'Whatever goes wrong at an address is said in one sentence. An upstream 401 becomes 502. ($path, $status)',
    async ({ path, status, error }) => {
      const { owner } = library
      const variable = await create(owner, path)
      const reply = await proxy(variable, owner)
      expect([reply.status, reply.body]).toEqual([status, { error }])
      expect(await content(variable, owner)).toEqual({ error })
      expect(await preview(variable, owner)).toEqual({ preview: `Error loading content: ${error}`, error })
      const tried = await tryAddress({ apiUrl: variable.apiUrl }, owner)
      expect([tried.status, tried.body]).toEqual([status, { error }])
    },
  )

  test('who sees the address without its query fetches it as they see it, with the query', async () => {
    const { owner, other } = library
    const { id } = await create(owner, '/text?key=s3cret', { isPublic: true })
    const shown = (await library.request({ url: `/api/variables/${id}`, as: other })).body as Variable
    expect(shown.apiUrl).toBe(`${library.api}/text`)
    expect((await proxy(shown, other)).body).toMatchObject({ content: 'opened' })
    expect((await proxy({ id, apiUrl: `${library.api}/text?key=guess` }, other)).status).toBe(400)
  })

  test('GET /api/proxy fetches the variable’s stored address only, for signed-in people, and indents JSON (D24).', async () => {
    const { owner, other, admin, hits } = library
    const closed = await create(owner, '/json')
    const open = await create(owner, '/json', { isPublic: true })
    const text = await library.createVariable(owner, { name: 'no_api' })
    const before = hits()
    const status = async (...[variable, as]: Parameters<typeof proxy>) => (await proxy(variable, as)).status
    expect(await status(open)).toBe(401)
    expect(await status(closed)).toBe(401)
    expect(await status(closed, other)).toBe(404)
    expect(await status(closed, admin)).toBe(404)
    expect(await status({ ...closed, id: 2147483647 }, owner)).toBe(404)
    const foreign = [`${library.api}/text`, `${open.apiUrl}#`, `${open.apiUrl}?`, ` ${open.apiUrl}`, 'x']
    for (const apiUrl of foreign) {
      const reply = await proxy({ id: open.id, apiUrl }, owner)
      const message = 'This is not the address of the variable'
      expect([reply.status, reply.body]).toEqual([
        400,
        { error: message, details: [{ path: 'url', message }] },
      ])
    }
    expect((await proxy({ id: text.id, apiUrl: open.apiUrl }, owner)).status).toBe(400)
    for (const query of [
      '',
      '?url=x',
      `?variableId=${open.id}`,
      '?url=&variableId=1',
      '?url=x&variableId=1&a=b',
    ])
      expect((await library.request({ url: `/api/proxy${query}`, as: owner })).status).toBe(400)
    expect(hits()).toBe(before)
    expect(await status(open, other)).toBe(200)
    expect(hits()).toBe(before + 1)
  })

  test('another site can not make a signed-in browser fetch', async () => {
    const { owner, hits } = library
    const { id, apiUrl } = await create(owner, '/json')
    const before = hits()
    const url = `/api/proxy?${new URLSearchParams({ url: apiUrl, variableId: `${id}` })}`
    for (const path of [url, `/api/variables/${id}/preview`, `/api/variables/${id}/content`]) {
      for (const site of ['cross-site', 'same-site', 'none']) {
        const headers = { 'sec-fetch-site': site }
        expect((await library.request({ url: path, as: owner, headers })).status, path).toBe(403)
      }
      const headers = { 'sec-fetch-site': 'same-origin' }
      expect((await library.request({ url: path, as: owner, headers })).status, path).toBe(200)
    }
    expect(hits()).toBe(before + 3)
  })

  test('Nothing is fetched for guests.', async () => {
    const { owner, hits } = library
    const open = await create(owner, '/json', { isPublic: true, cacheSeconds: 60 })
    await content(open, owner)
    const before = hits()
    expect(await content(open)).toEqual({ content: PLACEHOLDER })
    expect(await preview(open)).toEqual({ preview: PLACEHOLDER })
    expect(hits()).toBe(before)
  })

  test('A fetched value can be reused for a chosen time.', async () => {
    const { owner, other } = library
    const variable = await create(owner, '/count', { isPublic: true, cacheSeconds: 60 })
    const first = (await content(variable, owner)) as { content: string }
    clock = new Date(clock.getTime() + 59_000)
    expect(await content(variable, other)).toEqual(first)
    expect(await preview(variable, owner)).toEqual({ preview: first.content })
    clock = new Date(clock.getTime() + 1_000)
    const second = (await content(variable, owner)) as { content: string }
    expect(second).not.toEqual(first)
    // An explicit fetch gets a new value, and so does everyone after.
    const fetched = (await proxy(variable, other)).body as ProxyReply
    expect(fetched.content).not.toBe(second.content)
    expect(await content(variable, owner)).toEqual({ content: fetched.content })
    const { name, apiUrl } = variable
    const body = { name, type: 'api', apiUrl }
    await library.request({ method: 'PATCH', url: `/api/variables/${variable.id}`, body, as: owner })
    expect(await library.db.$count(variableFetches, eq(variableFetches.variableId, variable.id))).toBe(0)
    expect(await content(variable, owner)).not.toEqual({ content: fetched.content })
  })

  test('without a cache time each preview fetches', async () => {
    const { owner } = library
    const variable = await create(owner, '/count')
    expect(await content(variable, owner)).not.toEqual(await content(variable, owner))
  })

  test('A person fetches at most 120 times a minute.', async () => {
    const { other, admin } = library
    const mine = await create(other, '/count')
    clock = new Date(clock.getTime() + 60_000)
    await library.client.pool.query('delete from rate_windows')
    const replies = await Promise.all(Array.from({ length: 121 }, () => proxy(mine, other)))
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.headers['retry-after']).toMatch(/^(5\d|60)$/)
    expect(refused[0]?.body).toEqual({
      error: expect.stringMatching(/^Too many fetches\. Try again in (5\d|60) s\.$/),
    })
    for (const call of ['content', 'preview']) {
      const url = `/api/variables/${mine.id}/${call}`
      expect((await library.request({ url, as: other })).status).toBe(429)
    }
    expect((await tryAddress({ apiUrl: mine.apiUrl }, other)).status).toBe(429)
    const text = await library.createVariable(other, { name: 'unlimited' })
    expect(await content(text, other)).toEqual({ content: 'warm' })
    expect((await proxy(await create(admin, '/count'), admin)).status).toBe(200)
    // A server counts by its own clock.
    if (kind === 'server') return
    clock = new Date(clock.getTime() + 60_000)
    expect((await proxy(mine, other)).status).toBe(200)
  })
})

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { categories, prompts } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const NESTED = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
/** What the smallest limit of a body lets through. */
const NESTED_LESS = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
const BIG = JSON.stringify({ name: 'x'.repeat(2_000_000) })

describe.each(routeDatabaseKinds)('hostile input on the %s database', (kind) => {
  let app: TestApp
  let user: TestUser
  beforeAll(async () => {
    app = await startApp({ kind })
    user = await app.registerUser()
  })
  afterAll(() => app.close())

  const countRows = async () => [await app.db.$count(categories), await app.db.$count(prompts)]

  it.each([
    ['an unknown field', '{"name":"a","ownerId":7}', 400, 'Unrecognized key: "ownerId"'],
    ['a NUL byte', '{"name":"a\\u0000b"}', 400, 'Text must not contain NUL bytes'],
    ['a lone surrogate', '{"name":"a\\ud800"}', 400, 'Text must be valid Unicode'],
    ['a NUL byte in a key', '{"name":"a","b\\u0000":1}', 400, 'Text must not contain NUL bytes'],
    ['broken JSON', '{"name":', 400, 'The body is not valid JSON'],
    ['a bare word', 'hello', 400, 'The body is not valid JSON'],
    ['a list', '[]', 400, 'Expected object, received array'],
    ['null', 'null', 400, 'Expected object, received null'],
    ['nothing', '', 400, 'Expected object, received null'],
    ['a missing field', '{}', 400, 'Required'],
    ['a wrong type', '{"name":7}', 400, 'Expected string, received number'],
    ['2 MB', BIG, 413, 'The body is too large'],
    ['200,000 nested lists', NESTED, 400, 'At most 100 levels of nesting'],
    [
      '200,000 nested lists in an unknown field',
      `{"name":"a","b":${NESTED}}`,
      400,
      'At most 100 levels of nesting',
    ],
    ['a prototype', '{"name":"a","__proto__":{"role":"admin"}}', 400, 'The key __proto__ is not allowed'],
    [
      'a constructor',
      '{"name":"a","constructor":{"prototype":{"a":1}}}',
      400,
      'The key prototype is not allowed',
    ],
  ])('a body with %s is refused and nothing is stored', async (_name, body, status, message) => {
    const before = await countRows()
    const reply = await app.request({ method: 'POST', url: '/api/categories', as: user, body })
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status,
      body: { error: expect.stringContaining(message) },
    })
    expect(await countRows()).toEqual(before)
  })

  it.each([
    ['a hundred thousand unknown fields', Object.fromEntries(range(100_000).map((n) => [`k${n}`, 1]))],
    ['an unknown field of a megabyte', { ['k'.repeat(1_000_000)]: 1 }],
    ['ten thousand wrong values', { variables: Object.fromEntries(range(10_000).map((n) => [`k${n}`, n])) }],
    ['a wrong value at a name of a megabyte', { variables: { ['k'.repeat(1_000_000)]: 7 } }],
  ])('the reply to %s is short', async (_name, fields) => {
    const body = { promptId: 1, ...fields }
    const reply = await app.request({ method: 'POST', url: '/api/execute-prompt', as: user, body })
    expect(reply.status).toBe(400)
    expect(reply.text.length).toBeLessThan(6000)
  })

  it('every route that takes JSON refuses what is too deep and what reaches a prototype', async () => {
    const admin = await app.registerUser({ role: 'admin' })
    const { body } = await app.request({ url: '/api/openapi.json', as: admin })
    const { paths } = body as { paths: Record<string, Record<string, { requestBody?: unknown }>> }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => requestBody !== undefined)
        .map(([method]) => ({ path, method: method.toUpperCase() as 'POST' }))
        // What comes in at a chain's own address is a text to this server, with any key.
        .filter(() => path !== '/hooks/{token}'),
    )
    expect(routes.length).toBeGreaterThan(60)
    const wanted = { name: 'CI', mayWrite: true }
    const created = await app.request({ method: 'POST', url: '/api/folder-tokens', as: admin, body: wanted })
    const { token } = created.body as { token: string }
    for (const { path, method } of routes) {
      // These ask for their token before they read the body.
      const caller = path.startsWith('/api/folder/')
        ? { headers: { authorization: `Bearer ${token}` } }
        : { as: admin }
      const url = path.replaceAll(/\{\w+\}/g, '1')
      for (const [reason, hostile] of Object.entries({
        'At most 100 levels of nesting': `{"a":${NESTED_LESS}}`,
        'The key __proto__ is not allowed': '{"a":{"__proto__":{"b":1}}}',
      })) {
        const { status, text } = await app.request({ method, url, body: hostile, ...caller })
        const saysWhy = text.includes(reason) || text
        expect({ method, path, status, saysWhy }).toEqual({ method, path, status: 400, saysWhy: true })
      }
    }
  })

  it('of unknown fields three are named, and how many others there are', async () => {
    const body = { name: 'a', ...Object.fromEntries(range(7).map((n) => [`k${n}`, 1])) }
    const reply = await app.request({ method: 'POST', url: '/api/categories', as: user, body })
    const error = 'Unrecognized keys: "k0", "k1", "k2" and 4 more'
    expect(reply).toMatchObject({ status: 400, body: { error, details: [{ path: '', message: error }] } })
  })

  it('a validation names each field by its dotted path', async () => {
    const body = { title: '', content: 'a', categoryId: 1, tagIds: [1, 'two'] }
    const reply = await app.request({ method: 'POST', url: '/api/prompts', as: user, body })
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual({
      error: 'Title is required',
      details: [
        { path: 'title', message: 'Title is required' },
        { path: 'tagIds.1', message: 'Expected number, received string' },
      ],
    })
  })

  it.each([
    ['text/plain', '{"name":"a"}'],
    ['application/x-www-form-urlencoded', 'name=a'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>'],
  ])('a body of %s is refused', async (type, body) => {
    const headers = { 'content-type': type }
    const reply = await app.request({ method: 'POST', url: '/api/categories', as: user, body, headers })
    expect([reply.status, reply.body]).toEqual([415, { error: 'Send the body as application/json' }])
  })

  it.each([
    ['2147483648', 400],
    ['99999999999999999999', 400],
    ['0', 400],
    ['-1', 400],
    ['1e3', 400],
    ['0x1', 400],
    ['1.5', 400],
    ['%00', 400],
    ['1%00', 400],
    ['%ff', 400],
    ['%ED%A0%80', 400],
    ['__proto__', 400],
    [`${'9'.repeat(5_000)}`, 400],
    ['2147483647', 404],
  ])('the id %s is refused', async (id, status) => {
    for (const method of ['GET', 'DELETE'] as const) {
      const reply = await app.request({ method, url: `/api/prompts/${id}`, as: user })
      expect([reply.status, reply.body]).toEqual([
        status,
        { error: expect.any(String), ...anyDetails(reply) },
      ])
    }
  })

  it.each([
    ['search=%00', 'Text must not contain NUL bytes'],
    ['categoryId=2147483648', 'Too big'],
    ['tagIds=1,x', 'Must be a whole number'],
    ['nonsense=1', 'Unrecognized key: "nonsense"'],
    ['__proto__=1', 'The key __proto__ is not allowed'],
    ['search=a&search=b', 'Expected string, received array'],
  ])('the query %s is refused', async (query, message) => {
    const reply = await app.request({ url: `/api/prompts?${query}`, as: user })
    expect([reply.status, reply.body]).toMatchObject([400, { error: expect.stringContaining(message) }])
  })

  it('after all that the database is well', async () => {
    await app.db.execute(sql`select 1`)
    expect((await app.request({ url: '/api/categories' })).status).toBe(200)
  })
})

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

function anyDetails({ body }: { body: unknown }): object {
  return typeof body === 'object' && body !== null && 'details' in body ? { details: expect.any(Array) } : {}
}

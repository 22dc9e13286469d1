import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../../testing/harness.ts'

const PUBLIC_URL = 'https://catenary.example.org'
const ALLOWED = 'https://tools.example.org'

describe('a write', () => {
  let app: TestApp
  let cookie: string
  let user: TestUser
  beforeAll(async () => {
    app = await startApp({ settings: { publicUrl: PUBLIC_URL, corsOrigins: [ALLOWED] } })
    user = await app.registerUser()
    cookie = user.headers.cookie
  })
  afterAll(() => app.close())

  const write = async (headers: Record<string, string>) => {
    const name = crypto.randomUUID()
    const reply = await app.request({ method: 'POST', url: '/api/categories', body: { name }, headers })
    return reply.status
  }

  it.each([
    ['our own pages', { 'sec-fetch-site': 'same-origin' }],
    ['our own pages, in an old browser', { origin: PUBLIC_URL }],
    ['an allowed origin', { 'sec-fetch-site': 'cross-site', origin: ALLOWED }],
  ])('from %s is let through', async (_name, headers) => {
    expect(await write({ cookie, ...headers })).toBe(201)
  })

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sister site', { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.org' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
    ['another site, in an old browser', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['a sandboxed frame, in an old browser', { origin: 'null' }],
    ['another port', { origin: 'https://catenary.example.org:8443' }],
    ['a name that only begins like ours', { origin: `${PUBLIC_URL}.evil.example` }],
    ['who knows where', {}],
  ])('from %s with our cookie is refused', async (_name, headers) => {
    expect(await write({ cookie, ...headers })).toBe(403)
  })

  it('without a cookie reaches the route, which asks for a session', async () => {
    expect(await write({})).toBe(401)
  })

  it('of each method is checked, and reads are not', async () => {
    const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      expect((await app.request({ method, url: '/api/prompts/1', headers })).status).toBe(403)
    }
    expect((await app.request({ url: '/api/categories', headers })).status).toBe(200)
  })

  it('of an allowed origin passes the preflight with its method; of another it does not', async () => {
    const ask = (origin: string) =>
      app.http.inject({
        method: 'OPTIONS',
        url: '/api/prompts/1',
        headers: { origin, 'access-control-request-method': 'DELETE' },
      })
    const allowed = await ask(ALLOWED)
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('DELETE'),
    })
    const refused = await ask('https://evil.example')
    expect(refused.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a file that a browser keeps', () => {
  const SERVER = join(import.meta.dirname, '../../..')
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )

  it('is sent by the two functions alone that know who may ask for it', () => {
    const senders = sources.filter((file) =>
      /header\(\s*'content-disposition'/.test(readFileSync(join(SERVER, file), 'utf8')),
    )
    expect(senders.toSorted()).toEqual(['platform/http/endpoints.ts', 'platform/http/security/as-file.ts'])
  })

  it('is given to no other site', async () => {
    const app = await startApp({ settings: { publicUrl: PUBLIC_URL } })
    const { headers } = await app.registerUser()
    const ask = async (url: string, site: string) =>
      (await app.request({ url, headers: { ...headers, 'sec-fetch-site': site } })).status
    for (const url of ['/api/export', '/api/test-suites/1/export']) {
      expect(await ask(url, 'cross-site'), url).toBe(403)
      expect(await ask(url, 'same-origin'), url).not.toBe(403)
    }
    await app.close()
  })
})

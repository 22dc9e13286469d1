import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/harness.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PROGRAM = { accept: '*/*' }
const WEB = path.join(import.meta.dirname, '../../../../web/src/app')
const ORIGIN = 'https://pages.example'

let app: TestApp
let webDirectory: string
beforeAll(async () => {
  webDirectory = await mkdtemp(path.join(tmpdir(), 'catenary-web-'))
  await writeFile(path.join(webDirectory, 'index.html'), '<title>the app</title>')
  await writeFile(path.join(webDirectory, 'favicon.svg'), '<svg/>')
  app = await startApp({ webDirectory, settings: { corsOrigins: [ORIGIN] } })
})
afterAll(async () => {
  await app.close()
  await rm(webDirectory, { recursive: true })
})

const isPage = (reply: { text: string }) => reply.text.includes('the app')

test('every page of the web app is served, to a browser and to what takes anything', async () => {
  const sources = await Promise.all(
    ['pages.ts', 'router.tsx'].map((file) => readFile(path.join(WEB, file), 'utf8')),
  )
  const found = sources.flatMap((source) => [...source.matchAll(/\bpath(?:: |=)["'](\/[^"']*)["']/g)])
  const pages = found.map(([, page = '']) => page.replace(':id', '7'))
  expect(pages).toEqual(expect.arrayContaining(['/', '/auth', '/chains/7/tests', '/api-access']))
  expect(pages.length).toBeGreaterThan(15)
  for (const url of pages) {
    for (const headers of [BROWSER, PROGRAM]) {
      const reply = await app.request({ url: `${url}?x=1`, headers })
      expect([url, reply.status, isPage(reply)]).toEqual([url, 200, true])
    }
  }
})

const WELL_KNOWN = [
  'oauth-protected-resource',
  'oauth-protected-resource/mcp',
  'oauth-authorization-server',
  'oauth-authorization-server/mcp',
  'openid-configuration',
  'openid-configuration/mcp',
  'agent.json',
  'change-password',
].map((name) => `/.well-known/${name}`)

test.each(WELL_KNOWN)(
  'A page is served at the pages’ own addresses alone. Any other is 404 in JSON, `not_found` under `/.well-known`; to a browser’s address line it is a page. (%s)',
  async (url) => {
    for (const headers of [BROWSER, PROGRAM]) {
      const reply = await app.request({ url, headers })
      expect([reply.status, reply.body]).toEqual([404, { error: 'not_found' }])
    }
  },
)

const NOTHING = { error: 'There is nothing at this address' }

test.each([
  '/mcp/sse',
  '/favicon.ico',
  '/sitemap.xml',
  '/.env',
  '/.git/config',
  '/api/nothing',
  '/assets/x.js',
])('%s is nothing, never a page', async (url) => {
  for (const headers of [BROWSER, PROGRAM]) {
    const reply = await app.request({ url, headers })
    expect([reply.status, reply.body]).toEqual([404, NOTHING])
  }
})

test.each(['/sse', '/models', '/health', '/authorize', '/token', '/chat/completions', '/nothing/7'])(
  '%s is nothing to a program, and a page that says so to a person',
  async (url) => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream', 'image/avif,image/webp,*/*']) {
      const reply = await app.request({ url, headers: { accept } })
      expect([accept, reply.status, reply.body]).toEqual([accept, 404, NOTHING])
    }
    const shown = await app.request({ url, headers: BROWSER })
    expect([shown.status, isPage(shown)]).toEqual([404, true])
  },
)

test('an address for agents says that they connect by POST, with a slash after it too', async () => {
  for (const url of ['/mcp', '/mcp/']) {
    const reply = await app.request({ url, headers: BROWSER })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST'])
  }
})

test('where prompts are fetched from, an unknown address answers in that form', async () => {
  const reply = await app.request({ url: '/api/public/v2/prompts/a/b/c' })
  expect(reply.status).toBe(404)
  expect(reply.body).toMatchObject({ message: 'There is nothing at this address', error: expect.any(String) })
})

describe('what is read under /v1', () => {
  const anthropic = { 'anthropic-version': '2023-06-01' }

  test.each([
    '/v1',
    '/v1/',
    '/v1/files',
    '/v1/responses/resp_1/input_items',
    '/v1/batches',
    '/v1/nothing',
    '/v1/a/b',
  ])(
    'Unknown paths and methods under /v1 answer in their vendor’s form, those that are read too. (%s)',
    async (url) => {
      const reply = await app.request({ url, headers: BROWSER })
      expect(reply.status).toBe(404)
      expect(reply.body).toMatchObject({ error: { code: 'unknown_url', type: expect.any(String) } })
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    },
  )

  test.each(['/v1/messages/batches', '/v1/files'])('%s as a client of Anthropic reads it', async (url) => {
    const reply = await app.request({ url, headers: anthropic })
    expect([reply.status, reply.body]).toMatchObject([
      404,
      { type: 'error', error: { type: 'not_found_error' } },
    ])
    expect((reply.body as { request_id: string }).request_id).toBe(reply.headers['x-request-id'])
    expect(reply.headers['request-id']).toBe(reply.headers['x-request-id'])
  })

  test.each([
    '/v1/messages',
    '/v1/messages/count_tokens',
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/route',
  ])('%s says that it takes POST', async (url) => {
    const reply = await app.request({ url })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST'])
  })
})

test('a page of an allowed origin may read what the reply tells the caller', async () => {
  const { headers } = await app.request({ url: '/v1/nothing', headers: { origin: ORIGIN } })
  const exposed = String(headers['access-control-expose-headers']).split(', ')
  expect(exposed).toEqual(
    expect.arrayContaining([
      'request-id',
      'x-catenary-execution',
      'x-catenary-ignored',
      'x-selected-chain-id',
      'x-selection-confidence',
      'x-should-retry',
    ]),
  )
})

import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const URL = '/test-dashboard.html'
const BODY = 'the dashboard itself'

let app: TestApp
let admin: TestUser
let ada: TestUser
let webDirectory: string
let address: string
beforeAll(async () => {
  webDirectory = await mkdtemp(path.join(tmpdir(), 'catenary-web-'))
  await mkdir(path.join(webDirectory, 'assets'))
  await writeFile(path.join(webDirectory, 'index.html'), 'the app')
  await writeFile(
    path.join(webDirectory, 'test-dashboard.html'),
    `<meta name="csp-nonce" content="__CSP_NONCE__">${BODY}`,
  )
  // What a file system without case would find, too.
  await writeFile(path.join(webDirectory, 'TEST-DASHBOARD.HTML'), BODY)
  app = await startApp({ webDirectory })
  admin = await app.registerUser({ role: 'admin' })
  ada = await app.registerUser()
  address = await app.http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(webDirectory, { recursive: true })
})

test('an admin gets the test dashboard with a nonce of its own, never from a cache', async () => {
  const reply = await app.request({ url: URL, as: admin })
  expect(reply.status).toBe(200)
  const nonce = /content="([^"]+)">the dashboard itself/.exec(reply.text)?.[1]
  expect(nonce).toMatch(/^[0-9a-f]{32}$/)
  expect(reply.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  expect(reply.headers['cache-control']).toBe('no-store')
})

test('`/test-dashboard.html` is for administrators only.', async () => {
  const guest = await app.request({ url: URL })
  expect([guest.status, guest.headers.location, guest.headers['cache-control']]).toEqual([
    302,
    '/auth',
    'no-store',
  ])
  const refused = await app.request({ url: URL, as: ada })
  expect([refused.status, refused.text]).toEqual([403, 'This page is for administrators.'])
})

test.each([
  '/test-dashboard.html/',
  '/./test-dashboard.html',
  '//test-dashboard.html',
  '/%2e/test-dashboard.html',
  '/test%2Ddashboard.html',
  '/test-dashboard.htm%6c',
  '/test-dashboard.html%00',
  '/assets/../test-dashboard.html',
  '/assets/%2e%2e/test-dashboard.html',
  '/assets%2f..%2ftest-dashboard.html',
  '/TEST-DASHBOARD.HTML',
  '/test-dashboard.html?as=admin',
  '/test-dashboard.html;x',
])('no other way of writing the address gives it out: %s', async (path) => {
  for (const headers of [{}, ada.headers]) {
    expect(await getRaw({ path, headers })).not.toContain(BODY)
  }
})

/** As the path is written: `inject` and `fetch` would tidy it up. */
async function getRaw({ path, headers }: { path: string; headers: OutgoingHttpHeaders }): Promise<string> {
  const [response] = (await once(get(address, { path, headers, agent: false }), 'response')) as [
    IncomingMessage,
  ]
  return text(response)
}

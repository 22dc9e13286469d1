import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBareHttp } from '../../testing/bare-http.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { CALLERS } from './callers.ts'

/** Where the web app is built. */
const PAGES = ['/', '/*', '/index.html', '/test-dashboard.html']

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startApp({ metrics: createMetrics() })
  user = await app.registerUser()
})
afterAll(() => app.close())

const entries = Object.entries(CALLERS).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({
    ...{ path, method: method as 'POST', url: path.replaceAll(/:\w+/g, '1') },
    who: typeof entry === 'string' ? entry : entry.who,
  })),
)

test('each entry is a route', () => {
  const absent = entries.filter(
    ({ path, method }) => !PAGES.includes(path) && !app.http.hasRoute({ url: path, method }),
  )
  expect(absent).toEqual([])
})

test('a route without an entry stops the start, and says where to write it', async () => {
  const doors = {} as never
  const http = await createBareHttp({ admission: { callers: { '/a': { GET: 'guest' } }, doors } })
  http.get('/a', async () => 'a')
  expect(() => http.get('/b', async () => 'b')).toThrow(
    'Who may call GET /b? Say it in apps/server/src/platform/http/callers.ts',
  )
  expect(() => http.post('/a', async () => 'a')).toThrow('Who may call POST /a?')
  await http.close()
})

test('a guest is asked to log in or to show a token before anything of a call is looked at', async () => {
  const closed = entries.filter(({ who }) => who !== 'guest')
  expect(closed.length).toBeGreaterThan(200)
  for (const { method, url } of closed) {
    const body = method === 'POST' ? '{' : undefined
    const { status } = await app.request({ method, url, body, headers: { 'sec-fetch-site': 'same-origin' } })
    expect({ method, url, status }).toEqual({ method, url, status: 401 })
  }
})

test('who is no administrator is refused before anything of a call for administrators is looked at', async () => {
  for (const { method, url } of entries.filter(({ who }) => who === 'admin')) {
    const { status } = await app.request({ method, url, as: user, ...(method === 'POST' && { body: '{' }) })
    expect({ method, url, status }).toEqual({ method, url, status: 403 })
  }
})

test('a session opens no route of tokens', async () => {
  for (const { method, url } of entries.filter(({ who }) => who.endsWith(' token'))) {
    const { status } = await app.request({ method, url, as: user, ...(method === 'POST' && { body: '{' }) })
    expect({ method, url, status }).toEqual({ method, url, status: 401 })
  }
})

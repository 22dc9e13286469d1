import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { idempotencyKeys, sessions, users } from '../../database/schema/index.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp, type TestUser, toBrowserHeaders } from '../../testing/harness.ts'

const WRONG = { status: 401, body: { error: 'Invalid username or password' }, cookies: [] }

describe.each(routeDatabaseKinds)('sessions on %s', (kind) => {
  const database = useTestDatabase(kind)
  const apps: TestApp[] = []
  const start = async (options: Parameters<typeof startApp>[0] = {}) => {
    const app = await startApp({ ...options, database })
    apps.push(app)
    return app
  }
  const signIn = (app: TestApp, { user, password }: TestUser, headers: Record<string, string> = {}) =>
    app.request({ method: 'POST', url: '/api/login', body: { username: user.username, password }, headers })
  const currentUser = (app: TestApp, cookie?: string) =>
    app.request({ url: '/api/user', headers: cookie === undefined ? {} : { cookie } })
  /** A route that only looks the session up. */
  const createCategory = (app: TestApp, headers: Record<string, string>) =>
    app.request({ method: 'POST', url: '/api/categories', body: { name: 'New' }, headers })
  const listSessions = () => database.client.db.select().from(sessions)

  beforeEach(() => database.reset())
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
  })

  test('GET /api/user answers null for 401.', async () => {
    const app = await start()
    expect(await currentUser(app)).toMatchObject({ status: 401, body: { error: 'Please log in' } })
  })

  test('POST /api/login starts a session, with the name in any case.', async () => {
    const app = await start()
    const ada = await app.registerUser({ username: 'Ada' })
    const reply = await signIn(app, { ...ada, user: { ...ada.user, username: 'aDA' } })
    expect(reply).toMatchObject({ status: 200, body: ada.user, headers: { 'cache-control': 'no-store' } })
    expect(reply.cookies).toEqual([
      expect.stringMatching(
        /^catenary\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
    expect(reply.text).not.toContain('token')
    expect(await createCategory(app, toBrowserHeaders(reply.cookies))).toMatchObject({ status: 201 })
  })

  test('over https the cookie never leaves on a plain connection', async () => {
    const app = await start({ settings: { publicUrl: 'https://catenary.example.org' } })
    const ada = await app.registerUser()
    const { cookies } = await signIn(app, ada)
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Secure-catenary\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    expect(await createCategory(app, toBrowserHeaders(cookies))).toMatchObject({ status: 201 })
  })

  test('a wrong password and an unknown name of any form get the same message', async () => {
    const app = await start()
    const ada = await app.registerUser()
    expect(await signIn(app, { ...ada, password: 'wrong password' })).toMatchObject(WRONG)
    for (const username of ['nobody', 'no body at all', "x' or 1=1 --", 'ÄÖÜ']) {
      expect(await signIn(app, { ...ada, user: { ...ada.user, username } })).toMatchObject(WRONG)
    }
  })

  test.each([
    [{ username: 'Al', password: 'long enough' }, 'Username must be at least 3 characters'],
    [{ username: 'Ada', password: 'short' }, 'Password must be at least 6 characters'],
    [{ username: 'Ada', password: 'long enough', rememberMe: false }, expect.stringContaining('rememberMe')],
    [{ username: ['Ada'], password: 'long enough' }, 'Expected string, received array'],
  ])('%j is refused', async (body, error) => {
    const app = await start()
    const reply = await app.request({ method: 'POST', url: '/api/login', body })
    expect(reply).toMatchObject({ status: 400, body: { error }, cookies: [] })
  })

  test('no call that carries a password or a session is kept for replay', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const headers = { ...ada.headers, 'idempotency-key': 'one' }
    for (let index = 0; index < 2; index += 1) {
      expect(await signIn(app, { ...ada, password: 'wrong password' }, headers)).toMatchObject(WRONG)
      const body = { username: ada.user.username, email: 'new@example.org', password: 'long enough' }
      const taken = await app.request({ method: 'POST', url: '/api/register', body, headers })
      expect(taken).toMatchObject({ status: 409 })
    }
    expect(await database.client.db.$count(idempotencyKeys)).toBe(0)
  })

  test('another site can neither sign a person in nor out', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const before = await listSessions()
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example.org' },
    ]
    for (const headers of foreign) {
      expect(await signIn(app, ada, headers)).toMatchObject({ status: 403, cookies: [] })
      const cookie = { ...headers, cookie: ada.headers.cookie }
      const out = await app.request({ method: 'POST', url: '/api/logout', headers: cookie })
      expect(out).toMatchObject({ status: 403, cookies: [] })
    }
    expect(await listSessions()).toEqual(before)
  })

  test('POST /api/logout ends the session on the server and in the browser.', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const elsewhere = toBrowserHeaders((await signIn(app, ada)).cookies)
    const reply = await app.request({ method: 'POST', url: '/api/logout', as: ada })
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.cookies).toContainEqual(expect.stringMatching(/^catenary\.session_token=; Max-Age=0;/))
    expect(await currentUser(app, ada.headers.cookie)).toMatchObject({ status: 401 })
    expect(await createCategory(app, ada.headers)).toMatchObject({ status: 401 })
    expect(await currentUser(app, elsewhere.cookie)).toMatchObject({ status: 200 })
  })

  test('signing out takes an empty body and a guest, but no unknown field', async () => {
    const app = await start()
    const out = (body?: unknown) => app.request({ method: 'POST', url: '/api/logout', body })
    expect(await out()).toMatchObject({ status: 204 })
    expect(await out({})).toMatchObject({ status: 204 })
    expect(await out({ all: true })).toMatchObject({ status: 400 })
  })

  test('a disabled person is signed out at once, and learns why only with the right password', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const { db } = database.client
    await db.update(users).set({ banned: true }).where(eq(users.id, ada.user.id))
    expect(await currentUser(app, ada.headers.cookie)).toMatchObject({ status: 401 })
    expect(await createCategory(app, ada.headers)).toMatchObject({ status: 401 })
    expect(await signIn(app, ada)).toMatchObject({
      status: 403,
      body: { error: 'This account is disabled. Please ask an administrator.' },
      cookies: [],
    })
    expect(await signIn(app, { ...ada, password: 'wrong password' })).toMatchObject(WRONG)
    await db.update(users).set({ banned: false })
    expect(await createCategory(app, ada.headers)).toMatchObject({ status: 201 })
  })

  test('a cookie that this instance did not sign gives no session', async () => {
    const app = await start()
    const other = await start({ settings: { secretKey: 'another-key-of-more-than-32-characters' } })
    const ada = await app.registerUser()
    const [name, value = ''] = ada.headers.cookie.split('=')
    const [token, signature] = decodeURIComponent(value).split('.')
    expect(await createCategory(other, ada.headers)).toMatchObject({ status: 401 })
    expect(await currentUser(other, ada.headers.cookie)).toMatchObject({ status: 401 })
    for (const forged of [
      token,
      `${token}.`,
      `x${token}.${signature}`,
      `${token}.${token}`,
      '%E0%A4%A',
      '',
    ]) {
      const cookie = `${name}=${forged}`
      expect(await createCategory(app, { ...ada.headers, cookie })).toMatchObject({ status: 401 })
      expect(await currentUser(app, cookie)).toMatchObject({ status: 401 })
    }
    expect(await currentUser(app, `other=1; ${ada.headers.cookie}; more=2`)).toMatchObject({ status: 200 })
    const among = { ...ada.headers, cookie: `other=1; ${ada.headers.cookie}; more=2` }
    expect(await createCategory(app, among)).toMatchObject({ status: 201 })
  })

  test('while the key is changed, cookies of both are known, and one of the earlier is signed anew', async () => {
    const [earlier, next] = [
      'the-earlier-key-of-more-than-32-characters',
      'the-new-key-of-more-than-32-characters',
    ]
    const before = await start({ settings: { secretKey: earlier } })
    const ada = await before.registerUser()
    const during = await start({ settings: { secretKey: next, secretKeyAlso: earlier } })
    expect(await createCategory(during, ada.headers)).toMatchObject({ status: 201 })
    const renewed = await currentUser(during, ada.headers.cookie)
    expect(renewed).toMatchObject({ status: 200 })
    expect(renewed.cookies).toEqual([
      expect.stringMatching(
        /^catenary\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
    const headers = toBrowserHeaders(renewed.cookies)
    const after = await start({ settings: { secretKey: next } })
    expect(await currentUser(after, headers.cookie)).toMatchObject({ status: 200, cookies: [] })
    expect(await currentUser(after, ada.headers.cookie)).toMatchObject({ status: 401 })
    const out = { method: 'POST', url: '/api/logout', as: ada } as const
    expect(await during.request(out)).toMatchObject({ status: 204 })
    expect(await currentUser(after, headers.cookie)).toMatchObject({ status: 401 })
  })

  test('simultaneous calls each get their own person, and a session that just ended is gone in every process', async () => {
    const [app, other] = [await start(), await start()]
    const [ada, ben, eve] = [await app.registerUser(), await app.registerUser(), await app.registerUser()]
    const ownerOf = async (server: TestApp, as?: TestUser) => {
      const body = { title: 'Mine', content: 'Text', categoryId: 1 }
      const reply = await server.request({ method: 'POST', url: '/api/prompts', body, as })
      return reply.status === 201 ? (reply.body as { owner: string }).owner : reply.status
    }
    const askAll = () =>
      Promise.all(
        [app, other].flatMap((server) => [ada, ben, eve, undefined].map((as) => ownerOf(server, as))),
      )
    const [a, b, e] = [ada, ben, eve].map(({ user }) => user.username)
    expect(await askAll()).toEqual([a, b, e, 401, a, b, e, 401])
    await app.request({ method: 'POST', url: '/api/logout', as: eve })
    expect(await askAll()).toEqual([a, b, 401, 401, a, b, 401, 401])
    await other.request({ method: 'POST', url: '/api/logout', as: ben })
    expect(await askAll()).toEqual([a, 401, 401, 401, a, 401, 401, 401])
  })

  test('an ended session signs nobody in', async () => {
    const app = await start()
    const ada = await app.registerUser()
    await database.client.db.update(sessions).set({ expiresAt: new Date(Date.now() - 1000) })
    expect(await createCategory(app, ada.headers)).toMatchObject({ status: 401 })
    expect(await currentUser(app, ada.headers.cookie)).toMatchObject({ status: 401 })
  })

  test('a session in use is prolonged in the database and in the browser', async () => {
    const app = await start()
    const ada = await app.registerUser()
    expect((await currentUser(app, ada.headers.cookie)).cookies).toEqual([])
    const inTenDays = new Date(Date.now() + 10 * 86_400_000)
    await database.client.db.update(sessions).set({ expiresAt: inTenDays })
    const { status, cookies } = await currentUser(app, ada.headers.cookie)
    expect(status).toBe(200)
    expect(cookies).toEqual([expect.stringMatching(/^catenary\.session_token=.+Max-Age=2592000/)])
    const [session] = await listSessions()
    expect(session?.expiresAt.getTime()).toBeGreaterThan(inTenDays.getTime() + 19 * 86_400_000)
  })

  test('the address of a session is the connection’s, whatever the headers say', async () => {
    const app = await start()
    const ada = await app.registerUser()
    await database.client.db.delete(sessions)
    await signIn(app, ada, { 'x-forwarded-for': '203.0.113.9', 'x-catenary-address': '203.0.113.9' })
    expect(await listSessions()).toMatchObject([{ ipAddress: '127.0.0.1' }])
  })
})

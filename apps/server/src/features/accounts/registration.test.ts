import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accounts, users } from '../../database/schema/index.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'

const ada = { username: 'Ada', email: 'Ada@Example.org', password: 'correct horse battery' }
const bob = { username: 'bob', email: 'bob@example.org', password: 'another horse battery' }
const admin = { username: 'Root', email: 'root@example.org', password: 'a long admin password' }

describe.each(routeDatabaseKinds)('registration on %s', (kind) => {
  const database = useTestDatabase(kind)
  const apps: TestApp[] = []
  const start = async (options: Parameters<typeof startApp>[0] = {}) => {
    const app = await startApp({ ...options, database })
    apps.push(app)
    return app
  }
  const register = (app: TestApp, body: unknown, options: { from?: string } = {}) =>
    app.request({ method: 'POST', url: '/api/register', body, ...options })
  const listUsers = () => database.client.db.select().from(users).orderBy(users.id)

  beforeEach(() => database.reset())
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
  })

  test('POST /api/register creates an account, the first of them an administrator’s.', async () => {
    const app = await start()
    const first = await register(app, ada)
    expect(first).toMatchObject({
      status: 201,
      body: { id: 1, username: 'Ada', email: 'ada@example.org', role: 'admin' },
    })
    expect(Object.keys(first.body as object).sort()).toEqual(['email', 'id', 'role', 'username'])
    const [cookie = ''] = first.cookies
    const current = await app.request({ url: '/api/user', headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(current).toMatchObject({ status: 200, body: first.body })
    expect(await register(app, bob)).toMatchObject({ status: 201, body: { role: 'user' } })
  })

  test('of eight people who sign up first at the same moment exactly one becomes admin', async () => {
    const apps = [await start(), await start()] as const
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        register(apps[index % 2 === 0 ? 0 : 1], {
          ...bob,
          username: `u-${index}`,
          email: `${index}@example.org`,
        }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect((await listUsers()).filter(({ role }) => role === 'admin')).toHaveLength(1)
  })

  test('A user has username, email and role; the password is kept as a hash and nowhere else.', async () => {
    const app = await start()
    const reply = await register(app, ada)
    expect(reply.text).not.toContain(ada.password)
    const [account] = await database.client.db.select().from(accounts)
    expect(account).toMatchObject({ userId: 1, providerId: 'credential' })
    expect(account?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('a username or address that is taken, in upper or lower case, is refused with its field', async () => {
    const app = await start()
    await register(app, ada)
    expect(await register(app, { ...bob, username: 'aDA' })).toMatchObject({
      status: 409,
      body: { error: 'This username is already taken' },
    })
    expect(await register(app, { ...bob, email: 'ADA@example.ORG' })).toMatchObject({
      status: 409,
      body: { error: 'An account with this email address already exists' },
    })
    expect(await listUsers()).toHaveLength(1)
  })

  test('of two people who want one name at the same moment one gets it', async () => {
    const app = await start()
    const replies = await Promise.all([
      register(app, { ...bob, username: 'same', email: 'a@example.org' }),
      register(app, { ...bob, username: 'Same', email: 'b@example.org' }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await listUsers()).map(({ role }) => role)).toEqual(['admin'])
  })

  test.each([
    [{ ...ada, username: 'Al' }, 'username', 'Username must be at least 3 characters'],
    [{ ...ada, password: 'short' }, 'password', 'Password must be at least 6 characters'],
    [{ ...ada, email: 'nowhere' }, 'email', 'Please enter a valid email address'],
    [{ ...ada, username: 'a b c' }, 'username', expect.stringContaining('Username may contain')],
    [{ ...ada, password: 'Password1' }, 'password', expect.stringContaining('most common')],
    [{ username: 'Ada', email: 'ada@example.org' }, 'password', 'Required'],
    [{ ...ada, role: 'admin' }, '', expect.stringContaining('role')],
    [{ ...ada, banned: false }, '', expect.stringContaining('banned')],
    [{ ...ada, id: 7 }, '', expect.stringContaining('id')],
    [{ ...ada, username: 'ada\u0000' }, 'username', 'Text must not contain NUL bytes'],
    ['{"username":', undefined, 'The body is not valid JSON'],
  ])('A username has at least 3 characters, a password 6. (%j)', async (body, path, error) => {
    const app = await start()
    const reply = await register(app, body)
    expect(reply).toMatchObject({ status: 400, cookies: [], body: { error } })
    if (path !== undefined) expect(reply.body).toMatchObject({ details: [{ path, message: error }] })
    expect(await listUsers()).toEqual([])
  })

  test('a form of another content type is refused', async () => {
    const app = await start()
    const reply = await app.http.inject({
      method: 'POST',
      url: '/api/register',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(ada).toString(),
    })
    expect(reply.statusCode).toBe(415)
  })

  test('closed registration lets only the first person of an empty instance in', async () => {
    const app = await start({ settings: { registration: 'closed' } })
    const readInstance = async () => (await app.request({ url: '/api/instance' })).body
    expect(await readInstance()).toMatchObject({ registration: 'first' })
    expect(await register(app, ada)).toMatchObject({ status: 201, body: { role: 'admin' } })
    expect(await readInstance()).toMatchObject({ registration: 'closed' })
    expect(await register(app, bob)).toMatchObject({
      status: 403,
      body: { error: 'Registration is closed. Please ask an administrator for an account.' },
    })
  })

  test('closed registration lets one of several first people in, also at the same moment', async () => {
    const app = await start({ settings: { registration: 'closed' } })
    const replies = await Promise.all([register(app, ada), register(app, bob)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 403])
  })

  test('closed registration lets nobody in if the settings name an admin', async () => {
    const app = await start({ settings: { registration: 'closed', admin } })
    expect(await register(app, ada)).toMatchObject({ status: 403 })
  })

  test('the twenty-first account from one address within an hour is refused, others are not', async () => {
    let now = new Date('2026-03-01T10:00:00Z')
    const app = await start({ now: () => now })
    // Attempts that end in a conflict count, too, and cost less time here.
    await register(app, ada)
    for (let index = 1; index < 20; index += 1) await register(app, ada)
    now = new Date('2026-03-01T10:30:00Z')
    expect(await register(app, bob)).toMatchObject({ status: 429, headers: { 'retry-after': '1800' } })
    expect(await register(app, bob, { from: '192.0.2.7' })).toMatchObject({ status: 201 })
    now = new Date('2026-03-01T11:00:00Z')
    expect(await register(app, { ...bob, username: 'cy', email: 'c@example.org' })).toMatchObject({
      status: 400,
    })
    expect(await register(app, { ...bob, username: 'cyd', email: 'c@example.org' })).toMatchObject({
      status: 201,
    })
  })

  test('the admin of the settings is made once, and the first who registers is an ordinary user', async () => {
    const first = await start({ settings: { admin } })
    await start({ settings: { admin: { ...admin, username: 'ROOT', password: 'changed since then' } } })
    expect(await register(first, ada)).toMatchObject({ status: 201, body: { role: 'user' } })
    expect(await listUsers()).toMatchObject([
      { displayUsername: 'Root', role: 'admin' },
      { displayUsername: 'Ada', role: 'user' },
    ])
    const { username, password } = admin
    const signedIn = await first.request({ method: 'POST', url: '/api/login', body: { username, password } })
    expect(signedIn).toMatchObject({ status: 200, body: { username: 'Root', role: 'admin' } })
  })

  test('two processes that start at the same moment make one admin', async () => {
    await Promise.all([start({ settings: { admin } }), start({ settings: { admin } })])
    expect(await listUsers()).toMatchObject([{ displayUsername: 'Root', role: 'admin' }])
  })

  test('an admin of the settings who cannot be made stops the start with the reason', async () => {
    const app = await start()
    await register(app, { ...ada, email: admin.email })
    await expect(start({ settings: { admin } })).rejects.toThrow('email address already exists')
    await expect(start({ settings: { admin: { ...admin, password: '123456' } } })).rejects.toThrow(
      'most common',
    )
    const [user] = await database.client.db.select().from(users).where(eq(users.email, admin.email))
    expect(user).toMatchObject({ displayUsername: 'Ada' })
  })
})

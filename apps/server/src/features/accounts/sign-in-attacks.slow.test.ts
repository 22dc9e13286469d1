import { asc, eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sessions, users } from '../../database/schema/index.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp, type TestUser, toBrowserHeaders } from '../../testing/harness.ts'

const SESSIONS_MAX = 50

const ATTACKER = '198.51.100.7'

describe.each(routeDatabaseKinds)('sign-in under attack on %s', (kind) => {
  const database = useTestDatabase(kind)
  const apps: TestApp[] = []
  const start = async (options: Parameters<typeof startApp>[0] = {}) => {
    const app = await startApp({ ...options, database })
    apps.push(app)
    return app
  }
  const signIn = (
    app: TestApp,
    { user, password }: TestUser,
    options: { from?: string; headers?: Record<string, string> } = {},
  ) =>
    app.request({
      method: 'POST',
      url: '/api/login',
      body: { username: user.username, password },
      ...options,
    })
  const register = (app: TestApp, username: string, from: string) =>
    app.request({
      method: 'POST',
      url: '/api/register',
      body: { username, email: `${username}@example.org`, password: 'long enough' },
      from,
    })
  const countStatuses = (replies: { status: number }[]) => {
    const byStatus = Map.groupBy(replies, ({ status }) => status)
    return Object.fromEntries([...byStatus].map(([status, all]) => [status, all.length]))
  }

  beforeEach(() => database.reset())
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
  })

  test('of thirty passwords over eight names from one address twenty are tried, and others sign in', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const statuses: number[] = []
    for (let index = 0; index < 30; index += 1) {
      const user = { ...ada.user, username: `name-${index % 8}` }
      const guess = { ...ada, user, password: `guess number ${index}` }
      statuses.push((await signIn(app, guess, { from: ATTACKER })).status)
    }
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)])
    expect(await signIn(app, ada, { from: ATTACKER })).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
    expect(await signIn(app, ada)).toMatchObject({ status: 200 })
  })

  test('a signed-in person can change the password, whatever others try from the same address', async () => {
    const app = await start()
    const ada = await app.registerUser()
    for (let index = 0; index < 20; index += 1) {
      const user = { ...ada.user, username: `name-${index}` }
      await signIn(app, { ...ada, user, password: 'wrong password' }, { from: ATTACKER })
    }
    const body = { currentPassword: ada.password, newPassword: 'a better password' }
    const changed = await app.request({
      method: 'POST',
      url: '/api/account/password',
      body,
      as: ada,
      from: ATTACKER,
    })
    expect(changed).toMatchObject({ status: 204 })
  })

  test('of thirty registrations at the same moment in two processes exactly twenty pass', async () => {
    const apps = [await start(), await start()] as const
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        register(apps[index % 2 === 0 ? 0 : 1], `user-${index}`, ATTACKER),
      ),
    )
    expect(countStatuses(replies)).toEqual({ 201: 20, 429: 10 })
    expect(await database.client.db.$count(users)).toBe(20)
  })

  test('of thirty guesses at the same moment in two processes exactly ten are tried', async () => {
    const apps = [await start(), await start()] as const
    const ada = await apps[0].registerUser()
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        signIn(apps[index % 2 === 0 ? 0 : 1], { ...ada, password: 'wrong password' }, { from: ATTACKER }),
      ),
    )
    expect(countStatuses(replies)).toEqual({ 401: 10, 429: 20 })
  })

  test('most of a crowd are refused at once with a time to retry, and a person from elsewhere gets in', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const order: string[] = []
    const noted = async (name: string, reply: Promise<{ status: number }>) => {
      const { status } = await reply
      order.push(`${name} ${status}`)
      return { status }
    }
    const crowd = Array.from({ length: 260 }, () =>
      noted('crowd', signIn(app, { ...ada, password: 'wrong password' }, { from: ATTACKER })),
    )
    const own = noted('ada', signIn(app, ada))
    const body = { currentPassword: ada.password, newPassword: 'a better password' }
    const change = app.request({ method: 'POST', url: '/api/account/password', body, as: ada })
    expect(await own).toEqual({ status: 200 })
    expect(await change).toMatchObject({ status: 204 })
    const statuses = countStatuses(await Promise.all(crowd))
    expect(statuses[401]).toBe(10)
    expect(statuses[503]).toBeGreaterThan(200)
    // Refused callers don't wait for anyone else's turn.
    expect(order.slice(0, 200)).toEqual(Array(200).fill('crowd 503'))
    expect(order.indexOf('ada 200')).toBeLessThan(order.lastIndexOf('crowd 429'))
  })

  test('Signing in again ends the browser’s earlier session.', async () => {
    const app = await start()
    const [ada, ben] = [await app.registerUser(), await app.registerUser()]
    const isSignedIn = async (cookie: string) =>
      (await app.request({ url: '/api/user', headers: { cookie } })).status === 200
    const elsewhere = toBrowserHeaders((await signIn(app, ada)).cookies)
    const again = toBrowserHeaders((await signIn(app, ada, { headers: ada.headers })).cookies)
    expect(await isSignedIn(ada.headers.cookie)).toBe(false)
    const asBen = toBrowserHeaders((await signIn(app, ben, { headers: again })).cookies)
    expect(await isSignedIn(again.cookie)).toBe(false)
    expect(await isSignedIn(elsewhere.cookie)).toBe(true)
    expect(await isSignedIn(ben.headers.cookie)).toBe(true)
    const failed = await signIn(app, { ...ada, password: 'wrong password' }, { headers: asBen })
    expect(failed.status).toBe(401)
    expect(await isSignedIn(asBen.cookie)).toBe(true)
  })

  test('a script that signs in over and over ends its own sessions, not those of browsers', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const { db } = database.client
    const script = { ipAddress: ATTACKER, userAgent: 'script/1.0' }
    const expiresAt = new Date(Date.now() + 86_400_000)
    const ofScript = Array.from({ length: SESSIONS_MAX - 1 }, (_, index) => ({
      ...{ ...script, userId: ada.user.id, token: `script-${index}`, expiresAt },
    }))
    await db.insert(sessions).values(ofScript)
    const headers = { 'user-agent': script.userAgent }
    expect(await signIn(app, ada, { from: ATTACKER, headers })).toMatchObject({ status: 200 })
    const tokens = (await db.select().from(sessions)).map(({ token }) => token)
    expect(tokens).toHaveLength(SESSIONS_MAX)
    expect(tokens).not.toContain('script-0')
    expect(await app.request({ url: '/api/account', as: ada })).toMatchObject({ status: 200 })
  })

  test('A person is signed in at 50 places at most.', async () => {
    const app = await start()
    const [ada, ben] = [await app.registerUser(), await app.registerUser()]
    const { db } = database.client
    const expiresAt = new Date(Date.now() + 86_400_000)
    const lastUsed = (days: number) => new Date(Date.now() - days * 86_400_000)
    const older = Array.from({ length: SESSIONS_MAX - 1 }, (_, index) => ({
      ...{ userId: ada.user.id, token: `older-${index}`, expiresAt },
      updatedAt: lastUsed(SESSIONS_MAX - index),
    }))
    await db.insert(sessions).values(older)
    const listTokens = async () => {
      const of = eq(sessions.userId, ada.user.id)
      const rows = await db.select().from(sessions).where(of).orderBy(asc(sessions.updatedAt))
      return rows.map(({ token }) => token)
    }
    expect(await listTokens()).toHaveLength(SESSIONS_MAX)
    expect(await signIn(app, ada)).toMatchObject({ status: 200 })
    const kept = await listTokens()
    expect(kept).toHaveLength(SESSIONS_MAX)
    expect(kept[0]).toBe('older-1')
    expect(await app.request({ url: '/api/account', as: ada })).toMatchObject({ status: 200 })
    expect(await app.request({ url: '/api/account', as: ben })).toMatchObject({ status: 200 })
  })
})

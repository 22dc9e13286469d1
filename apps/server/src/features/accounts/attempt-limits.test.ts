import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountAttempts, sessions, users, verifications } from '../../database/schema/index.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'
import { deleteExpiredSessions } from './sign-in.ts'

describe.each(routeDatabaseKinds)('the limit on failed sign-ins on %s', (kind) => {
  const database = useTestDatabase(kind)
  const apps: TestApp[] = []
  let now = new Date('2026-03-01T10:00:00Z')
  const wait = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000)
  }
  const start = async (options: Parameters<typeof startApp>[0] = {}) => {
    const app = await startApp({ now: () => now, ...options, database })
    apps.push(app)
    return app
  }
  const signIn = async (
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
  const fail = async (
    app: TestApp,
    person: TestUser,
    times: number,
    options: Parameters<typeof signIn>[2] = {},
  ) => {
    const statuses: number[] = []
    for (let index = 0; index < times; index += 1) {
      statuses.push((await signIn(app, { ...person, password: 'wrong password' }, options)).status)
    }
    return statuses
  }

  beforeEach(() => database.reset())
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
  })

  test('after ten failures within 15 minutes even the right password waits, in every process', async () => {
    const app = await start()
    const another = await start()
    const ada = await app.registerUser({ username: 'Ada' })
    expect(await fail(app, ada, 5)).toEqual(Array(5).fill(401))
    wait(5)
    expect(await fail(another, { ...ada, user: { ...ada.user, username: 'ADA' } }, 5)).toEqual(
      Array(5).fill(401),
    )
    expect(await signIn(app, ada)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '600' },
      body: { error: 'Too many failed sign-ins. Try again in 10 min.' },
      cookies: [],
    })
    expect(await signIn(another, ada)).toMatchObject({ status: 429 })
    wait(10)
    expect(await signIn(app, ada)).toMatchObject({ status: 200 })
  })

  test('the limit slides: five old failures are forgotten, five new ones still count', async () => {
    const app = await start()
    const ada = await app.registerUser()
    await fail(app, ada, 5)
    wait(14)
    await fail(app, ada, 5)
    wait(1)
    expect(await fail(app, ada, 6)).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('it holds for one account and one address only', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const bob = await app.registerUser()
    await fail(app, ada, 10)
    expect(await signIn(app, bob)).toMatchObject({ status: 200 })
    expect(await signIn(app, ada, { from: '192.0.2.1' })).toMatchObject({ status: 200 })
    expect(await signIn(app, ada)).toMatchObject({ status: 429 })
  })

  test('a success resets the count', async () => {
    const app = await start()
    const ada = await app.registerUser()
    await fail(app, ada, 9)
    expect(await signIn(app, ada)).toMatchObject({ status: 200 })
    expect(await fail(app, ada, 10)).toEqual(Array(10).fill(401))
  })

  test('a disabled person with the right password is refused as disabled each time', async () => {
    const app = await start()
    const ada = await app.registerUser()
    await database.client.db.update(users).set({ banned: true })
    const statuses: number[] = []
    for (let index = 0; index < 12; index += 1) statuses.push((await signIn(app, ada)).status)
    expect(statuses).toEqual(Array(12).fill(403))
  })

  test('thirty guesses at the same moment are not more than ten', async () => {
    const app = await start()
    const ada = await app.registerUser()
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => signIn(app, { ...ada, password: 'wrong password' })),
    )
    const tried = replies.filter(({ status }) => status === 401)
    expect(tried.length).toBeLessThanOrEqual(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30 - tried.length)
  })

  test('a person cannot choose the address, but a trusted proxy sets it', async () => {
    const app = await start()
    const ada = await app.registerUser()
    for (let index = 0; index < 10; index += 1) {
      await fail(app, ada, 1, { headers: { 'x-forwarded-for': `192.0.2.${index}` } })
    }
    expect(await signIn(app, ada)).toMatchObject({ status: 429 })
    const behindProxy = await start({ settings: { trustProxy: 1 } })
    const reply = await signIn(behindProxy, ada, { headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(reply).toMatchObject({ status: 200 })
  })

  test('behind a proxy, an address that the client wrote itself is ignored', async () => {
    const app = await start({ settings: { trustProxy: 1 } })
    const ada = await app.registerUser()
    for (let index = 0; index < 10; index += 1) {
      await fail(app, ada, 1, { headers: { 'x-forwarded-for': `203.0.113.${index}, 192.0.2.1` } })
    }
    const reply = await signIn(app, ada, { headers: { 'x-forwarded-for': '203.0.113.99, 192.0.2.1' } })
    expect(reply).toMatchObject({ status: 429 })
  })

  test('one person’s whole IPv6 network counts as one address', async () => {
    const app = await start()
    const ada = await app.registerUser()
    for (let index = 0; index < 10; index += 1) await fail(app, ada, 1, { from: `2001:db8::${index}` })
    expect(await signIn(app, ada, { from: '2001:db8:0:0:ffff::1' })).toMatchObject({ status: 429 })
    expect(await signIn(app, ada, { from: '2001:db8:0:1::1' })).toMatchObject({ status: 200 })
  })

  test('cleanup deletes ended sessions and verifications and old attempts, nothing else', async () => {
    const app = await start()
    const { db } = database.client
    const ended = await app.registerUser()
    now = new Date()
    await db.update(sessions).set({ expiresAt: new Date(now.getTime() - 1) })
    await app.registerUser()
    await fail(app, ended, 1)
    const verification = { identifier: 'x', value: 'y' }
    await db.insert(verifications).values([
      { ...verification, expiresAt: new Date(now.getTime() - 1) },
      { ...verification, expiresAt: new Date(now.getTime() + 60_000) },
    ])
    // The session, the verification and the registration of half a year ago.
    expect(await deleteExpiredSessions(app.ctx)).toBe(3)
    expect(await deleteExpiredSessions(app.ctx)).toBe(0)
    expect(await db.$count(sessions)).toBe(1)
    expect(await db.$count(verifications)).toBe(1)
    expect(await db.$count(accountAttempts)).toBe(2)
  })
})

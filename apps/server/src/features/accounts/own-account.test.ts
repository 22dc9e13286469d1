import type { AccountSession, AccountSettings } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { activity, idempotencyKeys, sessions, users } from '../../database/schema/index.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp, type TestUser, toBrowserHeaders } from '../../testing/harness.ts'

const NEW_PASSWORD = 'a quite different password'
const GUEST = { status: 401, body: { error: 'Please log in' } }

describe.each(routeDatabaseKinds)('an own account on %s', (kind) => {
  const database = useTestDatabase(kind)
  let app: TestApp
  let ada: TestUser
  beforeEach(async () => {
    await database.reset()
    app = await startApp({ database })
    ada = await app.registerUser({ username: 'Ada' })
  })
  afterEach(() => app.close())

  const signIn = async (user: TestUser, password = user.password, userAgent = 'a phone') => {
    const body = { username: user.user.username, password }
    const headers = { 'user-agent': userAgent }
    const reply = await app.request({ method: 'POST', url: '/api/login', body, headers })
    return { ...reply, as: { ...user, headers: toBrowserHeaders(reply.cookies) } }
  }
  const change = (body: unknown, as: TestUser | undefined = ada, headers: Record<string, string> = {}) =>
    app.request({ method: 'POST', url: '/api/account/password', body, as, headers })
  const passwords = (newPassword = NEW_PASSWORD) => ({ currentPassword: ada.password, newPassword })
  const currentUser = async (as: TestUser) => (await app.request({ url: '/api/user', as })).status
  const listSessions = async (as: TestUser) =>
    (await app.request({ url: '/api/account/sessions', as })).body as AccountSession[]
  const remove = (url: string, as?: TestUser) => app.request({ method: 'DELETE', url, as })

  test('a guest has none', async () => {
    expect(await app.request({ url: '/api/account' })).toMatchObject(GUEST)
    expect(await app.request({ url: '/api/account/sessions' })).toMatchObject(GUEST)
    expect(await app.request({ method: 'PATCH', url: '/api/account', body: {} })).toMatchObject(GUEST)
    const guest = { method: 'POST', url: '/api/account/password', body: passwords() } as const
    expect(await app.request(guest)).toMatchObject(GUEST)
    expect(await remove('/api/account/sessions')).toMatchObject(GUEST)
    expect(await remove('/api/account/sessions/1')).toMatchObject(GUEST)
    expect(await listSessions(ada)).toHaveLength(1)
  })

  test('a disabled person has none', async () => {
    await app.db.update(users).set({ banned: true }).where(eq(users.id, ada.user.id))
    expect(await app.request({ url: '/api/account', as: ada })).toMatchObject(GUEST)
    expect(await change(passwords())).toMatchObject(GUEST)
    expect(await remove('/api/account/sessions', ada)).toMatchObject(GUEST)
  })

  test('theme, time zone and default model are saved independently, for their owner only', async () => {
    const bob = await app.registerUser()
    const patch = (body: unknown) => app.request({ method: 'PATCH', url: '/api/account', body, as: ada })
    const settings = async (as: TestUser) => (await app.request({ url: '/api/account', as })).body
    const { notifications } = (await settings(ada)) as AccountSettings
    const begun = { theme: 'system', timeZone: null, defaultModel: null, notifications }
    expect(await settings(ada)).toEqual(begun)
    expect((await patch({ theme: 'dark' })).body).toEqual({ ...begun, theme: 'dark' })
    const zoned = { ...begun, theme: 'dark', timeZone: 'America/Argentina/Ushuaia' }
    expect((await patch({ timeZone: 'America/Argentina/Ushuaia' })).body).toEqual(zoned)
    const chosen = { ...zoned, defaultModel: 'gemini' }
    expect((await patch({ defaultModel: 'gemini' })).body).toEqual(chosen)
    expect((await patch({})).body).toEqual(chosen)
    expect((await patch({ timeZone: null, defaultModel: null })).body).toEqual({ ...begun, theme: 'dark' })
    expect(await settings(bob)).toEqual(begun)
  })

  test.each([
    [{ timeZone: 'Mars/Olympus' }, 'Unknown time zone'],
    [{ timeZone: '+02:00' }, 'Unknown time zone'],
    [{ timeZone: '' }, 'Unknown time zone'],
    [{ timeZone: `Europe/${'x'.repeat(100)}` }, 'Unknown time zone'],
    [{ defaultModel: 'no alias!' }, expect.any(String)],
    [{ theme: 'pink' }, expect.stringContaining('"dark"')],
    [{ role: 'admin' }, 'Unrecognized key: "role"'],
    [{ theme: 'dark', banned: false }, 'Unrecognized key: "banned"'],
  ])('%j is refused', async (body, error) => {
    const reply = await app.request({ method: 'PATCH', url: '/api/account', body, as: ada })
    expect(reply).toMatchObject({ status: 400, body: { error } })
  })

  test('a new password works from then on, the old one no more, and all other sessions end', async () => {
    const { as: phone } = await signIn(ada)
    const bob = await app.registerUser()
    expect(await change(passwords(), ada, { 'idempotency-key': 'k' })).toMatchObject({
      status: 204,
      text: '',
    })
    expect([await currentUser(ada), await currentUser(phone), await currentUser(bob)]).toEqual([
      200, 401, 200,
    ])
    expect((await signIn(ada)).status).toBe(401)
    expect((await signIn(ada, NEW_PASSWORD)).status).toBe(200)
    expect(await app.db.select().from(idempotencyKeys)).toEqual([])
    const rows = await app.db.select().from(activity).where(eq(activity.objectId, ada.user.id))
    expect(rows).toContainEqual(
      expect.objectContaining({ personId: ada.user.id, kind: 'account.password_changed', door: 'page' }),
    )
    expect(JSON.stringify(rows)).not.toContain(NEW_PASSWORD)
  })

  test('a wrong current password changes nothing and is no 401, which would read as signed out', async () => {
    const message = 'The current password is wrong'
    const reply = await change({ currentPassword: 'wrong', newPassword: NEW_PASSWORD })
    expect(reply).toMatchObject({
      status: 400,
      body: { error: message, details: [{ path: 'currentPassword', message }] },
    })
    expect((await signIn(ada)).status).toBe(200)
  })

  test('guesses of the current password count as failed sign-ins: ten, then 429 even for the right one', async () => {
    for (let guess = 0; guess < 10; guess += 1) {
      const reply = await change({ currentPassword: `guess ${guess}`, newPassword: NEW_PASSWORD })
      expect(reply.status).toBe(400)
    }
    const blocked = await change(passwords())
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await signIn(ada)).status).toBe(429)
  })

  test('of twenty guesses at once at most ten are checked', async () => {
    const guesses = Array.from({ length: 20 }, (_, guess) =>
      change({ currentPassword: `guess ${guess}`, newPassword: NEW_PASSWORD }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10)
    expect(statuses.every((status) => status === 400 || status === 429)).toBe(true)
  })

  test.each([
    [{ newPassword: 'short' }, 'newPassword', 'Password must be at least 6 characters'],
    [
      { newPassword: 'Password123' },
      'newPassword',
      'This password is one of the most common. Please choose another.',
    ],
    [{ newPassword: 'x'.repeat(129) }, 'newPassword', 'Password must be at most 128 characters'],
    [{ currentPassword: '' }, 'currentPassword', 'Please enter your current password'],
    [{ confirmPassword: NEW_PASSWORD }, '', 'Unrecognized key: "confirmPassword"'],
    [{ userId: 1 }, '', 'Unrecognized key: "userId"'],
  ])('%j is refused', async (fields, path, message) => {
    const reply = await change({ ...passwords(), ...fields })
    expect(reply).toMatchObject({ status: 400, body: { error: message, details: [{ path, message }] } })
    expect((await signIn(ada)).status).toBe(200)
  })

  test('the sessions are the person’s own, this one first, without ended ones and without tokens', async () => {
    await app.registerUser()
    const { as: phone } = await signIn(ada)
    const { as: old } = await signIn(ada, ada.password, 'an old laptop')
    const [oldSession] = await listSessions(old)
    await app.db
      .update(sessions)
      .set({ expiresAt: new Date(0) })
      .where(eq(sessions.id, oldSession?.id ?? 0))
    const { body, text } = await app.request({ url: '/api/account/sessions', as: phone })
    expect(body).toEqual([
      {
        id: expect.any(Number),
        current: true,
        ipAddress: '127.0.0.1',
        userAgent: 'a phone',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      expect.objectContaining({ current: false }),
    ])
    for (const { token } of await app.db.select().from(sessions)) expect(text).not.toContain(token)
  })

  test('signing out everywhere else leaves this session and other people alone', async () => {
    const [bob, { as: phone }, { as: laptop }] = [
      await app.registerUser(),
      await signIn(ada),
      await signIn(ada),
    ]
    expect(await remove('/api/account/sessions', phone)).toMatchObject({ status: 204, text: '' })
    const statuses = [ada, phone, laptop, bob].map(currentUser)
    expect(await Promise.all(statuses)).toEqual([401, 200, 401, 200])
  })

  test('one session is ended at a time, and never another person’s', async () => {
    const bob = await app.registerUser()
    const { as: phone } = await signIn(ada)
    const [, first] = await listSessions(phone)
    const url = `/api/account/sessions/${first?.id}`
    expect(await remove(url, bob)).toMatchObject({
      status: 404,
      body: { error: 'This session does not exist' },
    })
    expect(await currentUser(ada)).toBe(200)
    expect(await remove(url, phone)).toMatchObject({ status: 204 })
    expect([await currentUser(ada), await currentUser(phone)]).toEqual([401, 200])
    expect(await remove(url, phone)).toMatchObject({ status: 404 })
    expect(await remove('/api/account/sessions/1e3', phone)).toMatchObject({ status: 400 })
  })
})

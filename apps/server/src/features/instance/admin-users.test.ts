import { COUNTED_QUOTAS, type ManagedUser, type Role } from '@catenary/contracts'
import { and, eq, ne } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { activity, users } from '../../database/schema/index.ts'
import { routeDatabaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const LAST_ADMIN = { status: 409, body: { error: 'The last active admin can’t be demoted or disabled' } }

describe.each(routeDatabaseKinds)('user management on %s', (kind) => {
  const database = useTestDatabase(kind)
  let app: TestApp
  let admin: TestUser
  let ada: TestUser
  beforeEach(async () => {
    await database.reset()
    app = await startApp({ database })
    admin = await app.registerUser({ username: 'Adam', role: 'admin' })
    ada = await app.registerUser({ username: 'Ada' })
  })
  afterEach(() => app.close())

  const list = async () => (await app.request({ url: '/api/admin/users', as: admin })).body as ManagedUser[]
  const patch = (target: TestUser, body: unknown, as: TestUser | undefined = admin) =>
    app.request({ method: 'PATCH', url: `/api/admin/users/${target.user.id}`, body, as })
  const signIn = ({ user, password }: TestUser) =>
    app.request({ method: 'POST', url: '/api/login', body: { username: user.username, password } })
  const activeAdmins = () => app.db.$count(users, and(eq(users.role, 'admin'), ne(users.banned, true)))

  test('only admins see and change accounts', async () => {
    for (const as of [undefined, ada]) {
      const refused = as === undefined ? 401 : 403
      expect((await app.request({ url: '/api/admin/users', as })).status).toBe(refused)
      const change = { method: 'PATCH', url: `/api/admin/users/${ada.user.id}`, as } as const
      expect((await app.request({ ...change, body: { role: 'admin' } })).status).toBe(refused)
      // The role is looked at before the body.
      expect((await app.request({ ...change, body: { nonsense: 1 } })).status).toBe(refused)
    }
    expect(await list()).toMatchObject([{ role: 'admin' }, { role: 'user' }])
  })

  test('the list shows who there is, oldest first, and nothing secret', async () => {
    const { text } = await app.request({ url: '/api/admin/users', as: admin })
    expect(await list()).toEqual([
      expect.objectContaining({ username: 'Adam', role: 'admin' }),
      {
        id: ada.user.id,
        username: 'Ada',
        email: 'ada@example.org',
        addressState: null,
        role: 'user',
        disabled: false,
        usage: Object.fromEntries(COUNTED_QUOTAS.map((quota) => [quota, 0])),
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        lastSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    expect(text).not.toContain('password')
    expect(text).not.toContain('argon2')
    await app.request({ method: 'POST', url: '/api/logout', as: ada })
    expect((await list())[1]).toMatchObject({ lastSeenAt: null })
  })

  test('a role holds from the next call on', async () => {
    expect(await patch(ada, { role: 'admin' })).toMatchObject({
      status: 200,
      body: { id: ada.user.id, role: 'admin' },
    })
    expect((await app.request({ url: '/api/admin/users', as: ada })).status).toBe(200)
    expect((await patch(admin, { role: 'user' }, ada)).status).toBe(200)
    expect((await app.request({ url: '/api/admin/users', as: admin })).status).toBe(403)
  })

  test('disabling signs the person out at once, everywhere, until enabled again', async () => {
    await signIn(ada)
    expect(await patch(ada, { disabled: true })).toMatchObject({
      status: 200,
      body: { disabled: true, lastSeenAt: null },
    })
    expect((await app.request({ url: '/api/user', as: ada })).status).toBe(401)
    expect((await signIn(ada)).status).toBe(403)
    expect(await patch(ada, { disabled: false })).toMatchObject({ status: 200, body: { disabled: false } })
    // The earlier sessions are gone for good.
    expect((await app.request({ url: '/api/user', as: ada })).status).toBe(401)
    expect((await signIn(ada)).status).toBe(200)
  })

  test('admins can’t disable themselves', async () => {
    await patch(ada, { role: 'admin' })
    expect(await patch(admin, { disabled: true })).toMatchObject({
      status: 409,
      body: { error: 'You can’t disable your own account' },
    })
    expect((await app.request({ url: '/api/user', as: admin })).status).toBe(200)
  })

  test('the last active admin stays one: a disabled admin is none', async () => {
    expect(await patch(admin, { role: 'user' })).toMatchObject(LAST_ADMIN)
    await patch(ada, { role: 'admin' })
    await patch(ada, { disabled: true })
    expect(await patch(admin, { role: 'user' })).toMatchObject(LAST_ADMIN)
    expect(await patch(admin, { role: 'user', disabled: false })).toMatchObject(LAST_ADMIN)
    expect((await list())[0]).toMatchObject({ role: 'admin', disabled: false })
  })

  test('admins who demote or disable each other at the same moment leave one', async () => {
    for (const body of [{ role: 'user' as Role }, { disabled: true }]) {
      await app.db.update(users).set({ role: 'admin', banned: false })
      const signedIn = await Promise.all([signIn(admin), signIn(ada)])
      const [first, second] = signedIn.map(({ cookies }, index): TestUser => {
        const cookie = cookies.map((line) => line.split(';', 1)[0]).join('; ')
        return { ...(index === 0 ? admin : ada), headers: { cookie, 'sec-fetch-site': 'same-origin' } }
      }) as [TestUser, TestUser]
      const replies = await Promise.all([patch(second, body, first), patch(first, body, second)])
      const statuses = replies.map(({ status }) => status).sort((a, b) => a - b)
      expect(statuses[0]).toBe(200)
      expect([401, 403, 409]).toContain(statuses[1])
      expect(await activeAdmins()).toBe(1)
    }
  })

  test('each change is recorded with the person who made it; setting the same value is no change', async () => {
    await patch(ada, { role: 'admin' })
    await patch(ada, { role: 'admin', disabled: false })
    await patch(ada, { role: 'user', disabled: true })
    await patch(ada, { disabled: false })
    const rows = await app.db
      .select()
      .from(activity)
      .where(eq(activity.objectId, ada.user.id))
      .orderBy(activity.id)
    const done = rows.filter(({ personId }) => personId === admin.user.id)
    expect(done.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ['account.role_changed', { role: 'user' }, { role: 'admin' }],
      ['account.role_changed', { role: 'admin' }, { role: 'user' }],
      ['account.disabled', null, null],
      ['account.enabled', null, null],
    ])
  })

  test.each([
    [{}, 'Nothing to change'],
    [{ role: 'owner' }, expect.stringContaining('"admin"')],
    [{ disabled: 'yes' }, 'Expected boolean, received string'],
    [{ role: 'admin', email: 'x@example.org' }, 'Unrecognized key: "email"'],
    [{ role: 'admin', id: 1 }, 'Unrecognized key: "id"'],
  ])('%j is refused', async (body, error) => {
    expect(await patch(ada, body)).toMatchObject({ status: 400, body: { error } })
    expect((await list())[1]).toMatchObject({ role: 'user', disabled: false })
  })

  test('an account that does not exist is not found', async () => {
    const nobody = { ...ada, user: { ...ada.user, id: 2_000_000_000 } }
    expect(await patch(nobody, { disabled: true })).toMatchObject({
      status: 404,
      body: { error: 'This account does not exist' },
    })
  })
})

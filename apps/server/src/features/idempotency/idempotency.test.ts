import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { categories, idempotencyKeys } from '../../database/schema/index.ts'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe.each(databaseKinds)('a write with an Idempotency-Key on the %s database', (kind) => {
  let app: TestApp
  let user: TestUser
  const database = useTestDatabase(kind)
  beforeEach(async () => {
    await database.reset()
    app = await startApp({ database })
    user = await app.registerUser()
  })
  afterEach(() => app.close())

  interface Write {
    key: string
    name?: string
    as?: TestUser
    on?: TestApp
  }
  const create = ({ key, name = 'Notes', as = user, on = app }: Write) =>
    on.request({
      method: 'POST',
      url: '/api/categories',
      as,
      body: { name },
      headers: { 'idempotency-key': key },
    })
  const countNamed = (name: string) => app.db.$count(categories, eq(categories.name, name))

  it('that comes again gets the first reply and is not run', async () => {
    const first = await create({ key: 'a' })
    const second = await create({ key: 'a' })
    expect(first.status).toBe(201)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect([second.status, second.text, second.headers['content-type']]).toEqual([
      201,
      first.text,
      first.headers['content-type'],
    ])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await countNamed('Notes')).toBe(1)
  })

  it('that comes 50 times at once runs once and gets 50 equal replies', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => create({ key: 'a' })))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] !== 'true')).toHaveLength(1)
    expect(await countNamed('Notes')).toBe(1)
  })

  it('that failed for good fails again in the same words', async () => {
    await create({ key: 'a' })
    const first = await create({ key: 'b' })
    const second = await create({ key: 'b' })
    expect([first.status, second.status, second.text]).toEqual([409, 409, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  it('with another body, path or method is refused', async () => {
    await create({ key: 'a' })
    const headers = { 'idempotency-key': 'a' }
    const body = { name: 'Notes' }
    const others = await Promise.all([
      create({ key: 'a', name: 'Others' }),
      app.request({ method: 'POST', url: '/api/tags', as: user, body, headers }),
      app.request({ method: 'DELETE', url: '/api/prompts/1', as: user, headers }),
    ])
    for (const { status, body } of others) {
      expect([status, body]).toEqual([
        422,
        { error: 'This Idempotency-Key was used for a different request. Send a new key.' },
      ])
    }
    expect(await countNamed('Others')).toBe(0)
  })

  it('of another person is a different call', async () => {
    const other = await app.registerUser()
    await create({ key: 'a' })
    const reply = await create({ key: 'a', as: other, name: 'Others' })
    expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  it.each(['', 'with space', 'umläut', 'x'.repeat(201)])('%j is refused', async (key) => {
    expect((await create({ key })).status).toBe(400)
    expect(await countNamed('Notes')).toBe(0)
  })

  it('of 200 characters is taken', async () => {
    expect((await create({ key: '~'.repeat(200) })).status).toBe(201)
  })

  it('of a guest is not kept: signing in twice makes two sessions', async () => {
    const signIn = () =>
      app.request({
        method: 'POST',
        url: '/api/login',
        body: { username: user.user.username, password: user.password },
        headers: { 'idempotency-key': 'a' },
      })
    const [first, second] = [await signIn(), await signIn()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.headers['idempotent-replayed']).toBeUndefined()
    expect(second.cookies.join()).not.toBe(first.cookies.join())
    expect(await app.db.$count(idempotencyKeys)).toBe(0)
  })

  it('that ends a session sets its cookie, and is not kept', async () => {
    const headers = { 'idempotency-key': 'a' }
    const reply = await app.request({ method: 'POST', url: '/api/logout', as: user, headers })
    expect(reply.cookies.length).toBeGreaterThan(0)
    expect(await app.db.$count(idempotencyKeys)).toBe(0)
  })

  it('runs again a day later', async () => {
    await create({ key: 'a' })
    await app.db.update(idempotencyKeys).set({ createdAt: new Date(Date.now() - DAY_MS - 60_000) })
    const later = await create({ key: 'a', name: 'Later' })
    expect([later.status, later.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  it('is taken over once its process has died and its lease has expired', async () => {
    const first = await create({ key: 'a' })
    await app.db.delete(categories).where(eq(categories.name, 'Notes'))
    await app.db.update(idempotencyKeys).set({
      status: 'running',
      replyStatus: null,
      replyType: null,
      replyBody: null,
      lockedUntil: new Date(Date.now() + 400),
    })
    const second = await create({ key: 'a' })
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([
      201,
      201,
      undefined,
    ])
    expect(await countNamed('Notes')).toBe(1)
  })
})

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity } from '../../database/schema/index.ts'
import { databaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { TEST_PASSWORD } from '../../testing/test-password.ts'
import { writeRefusals } from './activity.ts'

describe.each(databaseKinds)('the activity on the %s database', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const rowsOf = async (wanted: string) => {
    // A refusal is noted once its reply is on the way.
    await new Promise((resolve) => setImmediate(resolve))
    await writeRefusals(library.ctx)
    return (await library.db.select().from(activity).orderBy(activity.id)).filter(
      ({ kind }) => kind === wanted,
    )
  }
  const signIn = (username: string, password = 'not-the-password', from = '203.0.113.77') =>
    library.request({ method: 'POST', url: '/api/login', body: { username, password }, from })

  test('A row of the activity is neither changed nor deleted by any statement.', async () => {
    const { pool } = library.client
    const before = await library.db.select().from(activity).orderBy(activity.id)
    expect(before.length).toBeGreaterThan(0)
    for (const statement of [
      `update activity set kind = 'view.deleted'`,
      'delete from activity',
      'delete from activity where false',
      'truncate activity',
    ]) {
      await expect(pool.query(statement), statement).rejects.toThrow('neither changed nor deleted')
    }
    expect(await library.db.select().from(activity).orderBy(activity.id)).toEqual(before)
  })

  test('What failed leaves no row: the row is there with what was done, or neither is.', async () => {
    const body = { name: 'Mine', page: 'prompts', query: 'sort=title' }
    const create = () => library.request({ method: 'POST', url: '/api/views', body, as: library.owner })
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(409)
    expect(await rowsOf('view.created')).toHaveLength(1)
  })

  test('Refused sign-ins that are alike are the first at once, and one more with their count.', async () => {
    const typed = 'hunter2-is-my-password'
    for (let tries = 0; tries < 12; tries += 1) expect((await signIn(typed)).status).toBeGreaterThan(400)
    const rows = await rowsOf('account.signed_in_refused')
    const shared = { personId: null, objectId: null, door: 'page', address: '203.0.113.77' }
    const after = { typedName: expect.stringMatching(/^hu… [0-9a-f]{8}…$/) }
    expect(rows).toMatchObject([
      { ...shared, count: 1, after },
      { ...shared, count: 11, after },
    ])
    expect(JSON.stringify(rows)).not.toContain('nter2')
  })

  test('A refused sign-in to an account names the account, and a sign-in the person.', async () => {
    const { id, username } = library.other.user
    await signIn(username, 'not-the-password', '203.0.113.78')
    expect((await signIn(username, TEST_PASSWORD, '203.0.113.78')).status).toBe(200)
    const refused = (await rowsOf('account.signed_in_refused')).filter(({ objectId }) => objectId === id)
    expect(refused).toMatchObject([{ personId: null, ownerId: id, after: null }])
    expect((await rowsOf('account.signed_in')).at(-1)).toMatchObject({
      personId: id,
      address: '203.0.113.78',
    })
  })

  test('Missing rights and tokens that nobody has are written down, with the door.', async () => {
    const { owner } = library
    const refused = await library.request({
      ...{ method: 'POST', url: '/api/admin/debug-mode', body: { enabled: true } },
      as: owner,
    })
    expect(refused.status).toBe(403)
    expect(await rowsOf('instance.debug_mode_set_refused')).toMatchObject([
      { personId: owner.user.id, objectType: 'instance', door: 'page' },
    ])
    expect((await library.request({ url: '/api/admin/users', as: owner })).status).toBe(403)
    expect(await rowsOf('account.call_refused')).toMatchObject([
      { personId: owner.user.id, objectId: owner.user.id, door: 'page' },
    ])
    const headers = { authorization: `Bearer ctc_${'a'.repeat(46)}` }
    const body = { model: 'x', messages: [] }
    for (const url of ['/v1/messages', '/mcp']) {
      expect((await library.request({ method: 'POST', url, body, headers })).status).toBe(401)
    }
    expect((await library.request({ url: '/api/prompts' })).status).toBe(200)
    expect((await library.request({ url: '/api/views' })).status).toBe(401)
    const refusals = await rowsOf('token.call_refused')
    expect(refusals.map(({ door, personId }) => [door, personId])).toEqual(
      // A refusal is written after its call, so of two calls either may be first.
      expect.arrayContaining([
        ['token', null],
        ['agent', null],
      ]),
    )
    expect(refusals).toHaveLength(2)
  })

  test('What the version before writes of its events comes along, of its details what the activity has.', async () => {
    const { pool } = library.client
    await pool.query(
      `insert into audit_events (actor_id, action, object_type, object_id, details) values
        ($1, 'account.role_changed', 'user', 7, '{"from": "user", "to": "admin"}'),
        ($1, 'chain.deleted', 'chain', 8, '{"name": "Secret plan", "owner": "Olga"}'),
        ($1, 'schedules.paused', null, null, '{"paused": true}')`,
      [library.admin.user.id],
    )
    expect((await pool.query('select from audit_events')).rowCount).toBe(0)
    const rows = await library.db
      .select()
      .from(activity)
      .where(eq(activity.personId, library.admin.user.id))
      .orderBy(activity.id)
    const carried = rows.filter(({ door }) => door === null)
    expect(carried).toMatchObject([
      {
        kind: 'account.role_changed',
        objectType: 'account',
        objectId: 7,
        before: { role: 'user' },
        after: { role: 'admin' },
      },
      { kind: 'chain.deleted', objectType: 'chain', objectId: 8, before: null, after: null },
      { kind: 'schedules.paused', objectType: 'instance', objectId: null, after: { paused: true } },
    ])
    expect(JSON.stringify(carried)).not.toContain('Secret')
  })
})

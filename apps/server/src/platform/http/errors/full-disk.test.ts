import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { startApp, type TestApp, type TestUser, toBrowserHeaders } from '../../../testing/harness.ts'

const FULL = 'The disk is full. Nothing can be saved until an administrator frees up space.'

let database: TestDatabase
let app: TestApp
let admin: TestUser
let isFull = false
let isOut = false
let madeRoom = 0
beforeAll(async () => {
  database = await openTestDatabase('embedded')
  const makeRoom = () => {
    madeRoom += 1
  }
  const disk = { isFull: () => isFull, isOut: () => isOut, makeRoom, freeBytes: () => 5 * 1024 ** 2 }
  app = await startApp({ database: { client: { ...database.client, disk } } })
  admin = await app.registerUser({ role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await database.close()
})

test('while the disk is full what writes is refused, reads go on, and the admin’s screen says why', async () => {
  const prompt = { title: 'Welcome', content: 'Write.', categoryId: 1 }
  const save = () => app.request({ method: 'POST', url: '/api/prompts', body: prompt, as: admin })
  const check = async () => (await app.request({ url: '/api/admin/checks/disk', as: admin })).body
  expect((await save()).status).toBe(201)
  expect(await check()).toMatchObject({ status: 'ok', message: '5 MiB are free where the database is' })

  isFull = true
  const refused = await save()
  expect([refused.status, refused.body]).toEqual([503, { error: FULL }])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await app.request({ url: '/api/prompts', as: admin })).body).toHaveLength(1)
  expect(await check()).toMatchObject({
    status: 'failed',
    message: 'The disk is full: reads work, writes are refused; 5 MiB are free where the database is',
  })
  expect((await app.request({ url: '/readyz' })).text).toContain('disk')
  const call = { method: 'POST', url: '/v1/messages', body: {} } as const
  expect((await app.request(call)).body).toMatchObject({ error: { message: FULL } })

  isFull = false
  expect((await save()).status).toBe(201)
})

test('signing in and out goes on while the disk is full, as long as what is kept aside lasts', async () => {
  const body = { username: admin.user.username, password: admin.password }
  const signIn = () => app.request({ method: 'POST', url: '/api/login', body })
  isFull = true
  const { status, cookies } = await signIn()
  expect(status).toBe(200)
  const session = { ...admin, headers: toBrowserHeaders(cookies) }
  expect((await app.request({ url: '/api/user', as: session })).status).toBe(200)
  // A read needs none.
  expect(madeRoom).toBe(1)
  const register = { ...body, username: 'Nora', email: 'nora@example.org' }
  expect((await app.request({ method: 'POST', url: '/api/register', body: register })).status).toBe(503)
  expect((await app.request({ method: 'POST', url: '/api/logout', as: session })).status).toBe(204)

  expect(madeRoom).toBe(2)
  isOut = true
  const refused = await signIn()
  expect([refused.status, refused.body]).toEqual([503, { error: FULL }])
  isFull = false
  isOut = false
})

test('a statement that finds no room says so too, before anyone has looked', async () => {
  await database.client.pool.query(`
    create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger no_room before insert on prompts execute function no_room()`)
  const prompt = { title: 'Welcome', content: 'Write.', categoryId: 1 }
  const refused = await app.request({ method: 'POST', url: '/api/prompts', body: prompt, as: admin })
  expect([refused.status, refused.body]).toEqual([503, { error: FULL }])
})

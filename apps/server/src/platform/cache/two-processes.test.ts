import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

/** The process that people write in, and another on the same database, which caches what it reads. */
let library: Library
let elsewhere: TestApp
let database: DatabaseClient
let databaseUrl: string
beforeAll(async () => {
  library = await startLibrary('server')
  databaseUrl = String(library.client.pool.options.connectionString)
  database = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
  elsewhere = await startApp({ database: { client: database } })
  await database.rowChanges.listen()
})
afterAll(async () => {
  await elsewhere.close()
  await database.close()
  await library.close()
})

const readElsewhere = (id: number, as: TestUser) => elsewhere.request({ url: `/api/prompts/${id}`, as })

/** Reads elsewhere, and counts the statements that it takes. */
async function countStatements(id: number, as: TestUser) {
  const query = vi.spyOn(database.pool, 'query')
  const { body, status } = await readElsewhere(id, as)
  const statements = query.mock.calls.length
  query.mockRestore()
  return { body, status, statements }
}

const isKeptElsewhere = (id: number, as: TestUser) =>
  vi.waitFor(async () => expect((await countStatements(id, as)).statements).toBe(0))

const isReadElsewhere = (id: number, as: TestUser) =>
  vi.waitFor(async () => expect(await countStatements(id, as)).toMatchObject({ status: 404, statements: 1 }))

async function write(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, as: TestUser, body?: unknown) {
  const reply = await library.request({ method, url, as, body })
  expect(reply.status, reply.text).toBeLessThan(300)
}

test('a change in one process shows in the other, as soon as it is notified', async () => {
  const { owner, other, admin } = library
  const { id } = await library.createPrompt(owner, { isPublic: true })
  const url = `/api/prompts/${id}`
  const account = `/api/admin/users/${other.user.id}`
  const save = { ...promptBody(library), title: 'Changed' }
  const changes: [() => Promise<void>, { status: number; body?: object }][] = [
    [() => write('PATCH', account, admin, { role: 'admin' }), { status: 200, body: { canEdit: true } }],
    [() => write('PATCH', account, admin, { role: 'user' }), { status: 200, body: { canEdit: false } }],
    [() => write('PUT', url, owner, save), { status: 200, body: { title: 'Changed' } }],
    [() => write('PATCH', `${url}/share`, owner, { sharedLevel: 'private' }), { status: 404 }],
    [
      () => write('PATCH', `${url}/share`, owner, { sharedLevel: 'public' }),
      { status: 200, body: { canExecute: true } },
    ],
    [() => write('DELETE', url, owner), { status: 404 }],
  ]
  let isSeen = true
  for (const [change, shown] of changes) {
    await isKeptElsewhere(id, owner)
    // Of what someone can't see, each of their reads is one of the database: time would tell it from what is not there.
    if (isSeen) await isKeptElsewhere(id, other)
    else await isReadElsewhere(id, other)
    await change()
    await vi.waitFor(async () => expect(await readElsewhere(id, other)).toMatchObject(shown))
    isSeen = shown.status === 200
  }
})

test('a list of allowed values that is saved in one process holds in the other', async () => {
  const { owner } = library
  const { id } = await library.createPrompt(owner, { content: 'Be $<mood>.' })
  const run = async () => {
    const body = { promptId: id, variables: { mood: 'hot' } }
    const post = { method: 'POST', url: '/api/execute-prompt', body, as: owner } as const
    return (await elsewhere.request(post)).status
  }
  expect(await run()).toBe(200)
  await library.createVariable(owner, { name: 'mood', content: 'warm', allowedValues: ['warm', 'cold'] })
  await vi.waitFor(async () => expect(await run()).toBe(400))
})

test('a process that gets no notifications caches nothing, until it gets them again', async () => {
  const { owner } = library
  const { id } = await library.createPrompt(owner)
  await isKeptElsewhere(id, owner)
  const [, name] = new URL(databaseUrl).pathname.split('/')
  const admin = new pg.Client({ connectionString: databaseUrl.replace(`/${name}`, '/postgres') })
  await admin.connect()
  const letConnect = (allowed: boolean) =>
    admin.query('update pg_database set datallowconn = $1 where datname = $2', [allowed, name])

  await letConnect(false)
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query ilike 'listen%'`
  expect((await admin.query(cut, [name])).rowCount).toBe(1)
  await vi.waitFor(() => expect(database.rowChanges.isListening).toBe(false))
  for (const title of ['First', 'Second', 'Third']) {
    await write('PUT', `/api/prompts/${id}`, owner, { ...promptBody(library), title })
    // The session, what the person may have, their groups, and the prompt; again where the program's own clock came between.
    await vi.waitFor(async () =>
      expect(await countStatements(id, owner)).toMatchObject({ body: { title }, statements: 4 }),
    )
  }
  await letConnect(true)
  await admin.end()
  await vi.waitFor(() => expect(database.rowChanges.isListening).toBe(true))
  await isKeptElsewhere(id, owner)
  await write('POST', '/api/logout', owner)
  await vi.waitFor(async () => expect((await readElsewhere(id, owner)).status).toBe(404))
})

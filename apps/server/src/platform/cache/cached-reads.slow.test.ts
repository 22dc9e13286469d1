import type { Prompt } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databaseKinds } from '../../testing/database.ts'
import { type TestUser, toBrowserHeaders } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

describe.each(databaseKinds)('sessions and prompts cached on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
    await library.client.rowChanges.listen()
  })
  afterAll(() => library.close())

  const read = (id: number, as?: TestUser) => library.request({ url: `/api/prompts/${id}`, as })
  const send = async (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    as: TestUser,
    body?: unknown,
  ) => {
    const reply = await library.request({ method, url, as, body })
    expect(reply.status, reply.text).toBeLessThan(300)
  }
  /** Reads until the reply comes without a statement, and gives it. */
  const readKept = async (id: number, as?: TestUser) => {
    const query = vi.spyOn(library.client.pool, 'query')
    const reply = await vi.waitFor(async () => {
      query.mockClear()
      const latest = await read(id, as)
      expect(query).not.toHaveBeenCalled()
      return latest
    })
    query.mockRestore()
    return reply
  }
  const signInAgain = async ({ user, password }: TestUser): Promise<TestUser> => {
    const body = { username: user.username, password }
    const reply = await library.request({ method: 'POST', url: '/api/login', body })
    return { user, password, headers: toBrowserHeaders(reply.cookies) }
  }

  test.each<[string, (person: TestUser) => Promise<void>]>([
    ['signing out', (person) => send('POST', '/api/logout', person)],
    [
      'disabling the account',
      ({ user }) => send('PATCH', `/api/admin/users/${user.id}`, library.admin, { disabled: true }),
    ],
    [
      'signing out everywhere else',
      async (person) => send('DELETE', '/api/account/sessions', await signInAgain(person)),
    ],
    [
      'a new password, set elsewhere',
      async (person) => {
        const body = { currentPassword: person.password, newPassword: 'a quite different password' }
        await send('POST', '/api/account/password', await signInAgain(person), body)
      },
    ],
    [
      'a session deleted by hand',
      async ({ user }) =>
        void (await library.db.execute(sql`delete from sessions where user_id = ${user.id}`)),
    ],
  ])('%s ends a cached session before it is answered', async (_name, end) => {
    const person = await library.registerUser()
    const { id } = await library.createPrompt(person)
    expect(await readKept(id, person)).toMatchObject({ status: 200, body: { canEdit: true } })
    await end(person)
    expect((await read(id, person)).status).toBe(404)
  })

  test('a cached session ends on its time', async () => {
    const person = await library.registerUser()
    const { id } = await library.createPrompt(person)
    const endsAt = new Date(Date.now() + 60_000)
    await library.db.execute(
      sql`update sessions set expires_at = ${endsAt} where user_id = ${person.user.id}`,
    )
    expect((await readKept(id, person)).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: endsAt })
    expect((await read(id, person)).status).toBe(404)
    vi.useRealTimers()
  })

  test('a role given and taken counts from its reply on', async () => {
    const person = await library.registerUser()
    const { id } = await library.createPrompt(library.owner, { isPublic: true })
    for (const role of ['admin', 'user'] as const) {
      await readKept(id, person)
      await send('PATCH', `/api/admin/users/${person.user.id}`, library.admin, { role })
      expect((await read(id, person)).body).toMatchObject({ canEdit: role === 'admin' })
      expect((await library.request({ url: '/api/admin/users', as: person })).status).toBe(
        role === 'admin' ? 200 : 403,
      )
    }
  })

  test('each change of a prompt shows from its reply on', async () => {
    const { owner, other } = library
    const tag = await library.createTag(owner, 'kept')
    const { id } = await library.createPrompt(owner, { isPublic: true })
    const url = `/api/prompts/${id}`
    const body = { ...promptBody(library), title: 'Changed', tagIds: [tag.id] }
    const changes: [() => Promise<void>, object][] = [
      [() => send('PUT', url, owner, body), { title: 'Changed', tags: [{ name: 'kept' }], version: 2 }],
      [() => send('PATCH', `${url}/toggle`, owner, { isActive: false }), { isActive: false }],
      [
        () => send('POST', `${url}/versions/1/restore`, owner),
        { title: promptBody(library).title, version: 3 },
      ],
      [
        async () =>
          void (await library.db.execute(sql`update tags set name = 'renamed' where id = ${tag.id}`)),
        { tags: [{ name: 'renamed' }] },
      ],
      [
        async () =>
          void (await library.db.execute(
            sql`update categories set name = 'Renamed' where id = ${library.categoryId}`,
          )),
        { category: 'Renamed' },
      ],
      [
        async () =>
          void (await library.db.execute(
            sql`update users set display_username = 'Renate' where id = ${owner.user.id}`,
          )),
        { owner: 'Renate' },
      ],
      [async () => void (await library.db.execute(sql`delete from tags where id = ${tag.id}`)), { tags: [] }],
    ]
    for (const [change, shown] of changes) {
      expect((await readKept(id, other)).body).not.toMatchObject(shown)
      await change()
      expect((await read(id, other)).body).toMatchObject(shown)
    }
    await readKept(id, other)
    await send('PATCH', `${url}/share`, owner, { sharedLevel: 'private' })
    expect([(await read(id, other)).status, (await readKept(id, owner)).status]).toEqual([404, 200])
    await send('DELETE', url, owner)
    expect((await read(id, owner)).status).toBe(404)
  })

  test('a read after a reply never sees the earlier state, whatever else goes on', async () => {
    const { owner } = library
    const ids: number[] = []
    for (let count = 0; count < 4; count += 1) ids.push((await library.createPrompt(owner)).id)
    /** What has been answered of each prompt so far. */
    const answered = new Map<number, number>()
    const revisionOf = ({ body }: { body: unknown }) => (body as Prompt).revision
    let stale = 0
    let reads = 0
    const write = async (id: number) => {
      for (let turn = 0; turn < 25; turn += 1) {
        const body = { ...promptBody(library), title: `Turn ${turn}` }
        const reply = await library.request({ method: 'PUT', url: `/api/prompts/${id}`, body, as: owner })
        answered.set(id, revisionOf(reply))
      }
    }
    let writing = true
    const readOn = async (reader: number) => {
      for (let turn = reader; writing; turn += 1) {
        const id = ids[turn % ids.length] ?? 0
        const atLeast = answered.get(id) ?? 1
        const revision = revisionOf(await read(id, owner))
        reads += 1
        if (revision < atLeast) stale += 1
        if (turn % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const readers = Promise.all(Array.from({ length: 8 }, (_, reader) => readOn(reader)))
    await Promise.all(ids.map(write))
    writing = false
    await readers
    expect(stale).toBe(0)
    expect(reads).toBeGreaterThan(100)
    expect(await Promise.all(ids.map(async (id) => revisionOf(await readKept(id, owner))))).toEqual(
      ids.map((id) => answered.get(id)),
    )
  })
})

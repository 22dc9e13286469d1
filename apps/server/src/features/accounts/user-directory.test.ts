import type { FoundUser } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(routeDatabaseKinds)('finding people on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const search = (name: string, as?: Library['owner']) =>
    library.request({ url: `/api/users/search?${new URLSearchParams({ name })}`, as })
  const names = async (name: string) =>
    ((await search(name, library.owner)).body as FoundUser[]).map(({ username }) => username)

  test('The user picker finds people by the start of their name.', async () => {
    const { other } = library
    const reply = await search('oSK', library.owner)
    expect([reply.status, reply.body]).toEqual([200, [{ id: other.user.id, username: 'Oskar' }]])
    expect(await names(' o ')).toEqual(['Olga', 'Oskar'])
    for (const name of ['skar', '%', '_', 'Oskar2', 'oskar@example.org'])
      expect(await names(name)).toEqual([])
  })

  test('a guest is asked to log in', async () => {
    const reply = await search('o')
    expect([reply.status, reply.body]).toEqual([401, { error: 'Please log in' }])
  })

  test('at most ten are found, by username, and no disabled account', async () => {
    const made = []
    for (let n = 0; n < 12; n += 1) made.push(await library.registerUser({ username: `Zoe_${n % 10}${n}` }))
    const url = `/api/admin/users/${made[0]?.user.id}`
    await library.request({ method: 'PATCH', url, body: { disabled: true }, as: library.admin })
    const all = made.slice(1).map(({ user }) => user.username)
    expect(await names('zoe_')).toEqual(all.toSorted().slice(0, 10))
  })

  test.each(['', '?name=', '?name=%20', `?name=${'x'.repeat(51)}`, '?name=a&name=b', '?name=a&limit=100'])(
    '%s is refused',
    async (query) => {
      const reply = await library.request({ url: `/api/users/search${query}`, as: library.owner })
      expect(reply.status).toBe(400)
    },
  )

  test('Signed-in people are told whom to ask for what administrators alone may do: two names and how many more there are, without the disabled and the asker; guests are told nothing.', async () => {
    const { other, admin } = library
    const ask = (as?: Library['owner']) => library.request({ url: '/api/users/administrators', as })
    expect((await ask(other)).body).toEqual({ names: ['Adam'], others: 0 })
    expect((await ask(admin)).body).toEqual({ names: [], others: 0 })
    expect(await ask()).toMatchObject({ status: 401, body: { error: 'Please log in' } })
    const [berta, , dora] = await Promise.all(
      ['Berta', 'Carl', 'Dora'].map((username) => library.registerUser({ username, role: 'admin' })),
    )
    const { body } = await ask(other)
    expect(body).toEqual({ names: ['Adam', expect.stringMatching(/^(Berta|Carl|Dora)$/)], others: 2 })
    const url = `/api/admin/users/${dora?.user.id}`
    await library.request({ method: 'PATCH', url, body: { disabled: true }, as: admin })
    expect((await ask(other)).body).toMatchObject({ others: 1 })
    expect((await ask(berta)).body).toEqual({ names: ['Adam', 'Carl'], others: 0 })
  })

  test('a person who keeps searching is asked to wait', async () => {
    const reader = await library.registerUser()
    const replies = await Promise.all(Array.from({ length: 61 }, () => search('a', reader)))
    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual([429])
    expect(refused[0]?.headers['retry-after']).toBeDefined()
    expect((await search('a', library.owner)).status).toBe(200)
  })
})

import type { Chain, Prompt } from '@catenary/contracts'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const KINDS = ['chain', 'prompt'] as const

describe.each(routeDatabaseKinds)('shares on %s', (database) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(database)
    await library.registerUser({ username: 'Vera' })
  })
  afterAll(() => library.close())

  describe.each(KINDS)('a %s', (kind) => {
    const create = async (): Promise<Chain | Prompt> => {
      const { owner } = library
      return kind === 'chain'
        ? library.createChain(owner, { sharedLevel: 'shared' })
        : library.createPrompt(owner)
    }
    const urlOf = (id: number) => `/api/${kind}s/${id}/shares`
    const share = (id: number, body: unknown, as = library.owner) =>
      library.request({ method: 'PUT', url: urlOf(id), body, as })
    const shares = async (id: number, as = library.owner) =>
      (await library.request({ url: urlOf(id), as })).body

    test('The owner shares by name with a role, and saves the list as a whole (D33).', async () => {
      const { owner, other, db } = library
      const before = await create()
      const { id } = before
      const body = [
        { username: ' vera ', role: 'viewer' },
        { username: 'OSKAR', role: 'editor' },
      ]
      const saved = await share(id, body)
      const expected = [
        { username: 'Oskar', role: 'editor' },
        { username: 'Vera', role: 'viewer' },
      ]
      expect([saved.status, saved.body]).toEqual([200, expected])
      expect([await shares(id), await shares(id, other)]).toEqual([expected, expected])
      const stored = (await library.request({ url: `/api/${kind}s/${id}`, as: owner })).body as Chain
      expect(stored.revision).toBe(before.revision + 1)
      const isOfList = and(eq(activity.objectId, id), eq(activity.kind, `${kind}.shares_changed`))
      const [row] = await db.select().from(activity).where(isOfList)
      expect(row).toMatchObject({
        personId: owner.user.id,
        objectType: kind,
        door: 'page',
        after: {
          people: [
            { userId: expect.any(Number), role: 'viewer' },
            { userId: expect.any(Number), role: 'editor' },
          ],
        },
      })
      expect((await share(id, [])).body).toEqual([])
    })

    test.each([
      {
        body: [
          { username: 'Oskar', role: 'viewer' },
          { username: 'Nobody', role: 'viewer' },
          { username: 'nemo', role: 'editor' },
        ],
        message: 'There is no account named Nobody, nemo',
      },
      {
        body: [
          { username: 'Oskar', role: 'viewer' },
          { username: 'oskar', role: 'editor' },
        ],
        message: 'List each person once',
      },
      { body: [{ username: 'OLGA', role: 'editor' }], message: 'The owner already has access' },
      { body: [{ username: 'Oskar', role: 'owner' }], message: expect.stringContaining('Invalid option') },
      {
        body: [{ username: 'Oskar', role: 'viewer', userId: 1 }],
        message: 'Unrecognized key: "userId"',
      },
      { body: [{ username: '%', role: 'viewer' }], message: 'There is no account named %' },
      {
        body: { username: 'Oskar', role: 'viewer' },
        message: 'Expected array, received object',
      },
    ])('refused: $message', async ({ body, message }) => {
      const { id } = await create()
      await share(id, [{ username: 'Adam', role: 'viewer' }])
      const reply = await share(id, body)
      expect([reply.status, reply.body]).toMatchObject([400, { error: message }])
      expect(await shares(id)).toEqual([{ username: 'Adam', role: 'viewer' }])
    })
  })
})

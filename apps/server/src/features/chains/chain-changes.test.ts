import type { Chain } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity, chainSteps } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const CHAIN_DESCRIPTION_MAX = 2000

describe.each(routeDatabaseKinds)('changing chains on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const read = async (id: number, as: TestUser) =>
    (await library.request({ url: `/api/chains/${id}`, as })).body as Chain
  const patch = (id: number, body: unknown, as = library.owner) =>
    library.request({ method: 'PATCH', url: `/api/chains/${id}`, body, as })

  test('a save changes what it sends, keeps what it leaves out, and moves on revision and time', async () => {
    const { owner } = library
    const tag = await library.createTag(owner, 'kept', '/api/chain-tags')
    const before = await library.createChain(owner, {
      description: 'why',
      sharedLevel: 'public',
      tagIds: [tag.id],
    })
    const saved = await patch(before.id, { name: ' Grüße ', revision: 1 })
    expect(saved.body).toEqual({
      ...{ ...before, name: 'Grüße', version: 2, revision: 2 },
      updatedAt: expect.any(String),
    })
    expect((saved.body as Chain).updatedAt > before.updatedAt).toBe(true)
    expect(await read(before.id, owner)).toEqual(saved.body)
    const emptied = await patch(before.id, { description: '', tagIds: [], sharedLevel: 'private' })
    expect(emptied.body).toMatchObject({ description: '', tags: [], sharedLevel: 'private', revision: 3 })
  })

  test('A stale revision is refused with the current state (D16).', async () => {
    const { owner } = library
    const { id } = await library.createChain(owner)
    const step = await library.createStep(owner, id)
    const current = await read(id, owner)
    const calls = [
      { method: 'PATCH', path: '', body: { name: 'Stale' } },
      { method: 'POST', path: '/steps', body: { outputVariableName: 'stale' } },
      { method: 'PATCH', path: `/steps/${step.id}`, body: { content: 'Stale' } },
      { method: 'POST', path: '/reorder-steps', body: { stepIds: [step.id] } },
    ] as const
    for (const { method, path, body } of calls) {
      const send = (revision: number) =>
        library.request({ method, url: `/api/chains/${id}${path}`, body: { ...body, revision }, as: owner })
      const refused = await send(current.revision - 1)
      const error = 'This chain was changed since you opened it'
      expect([refused.status, refused.body]).toEqual([409, { error, details: current }])
      expect(await read(id, owner)).toEqual(current)
    }
    expect((await patch(id, { name: 'Fresh', revision: current.revision })).status).toBe(200)
  })

  test.each([
    { body: { name: ' ' }, message: 'Name is required' },
    { body: { name: 'x'.repeat(101) }, message: 'Name must be less than 100 characters' },
    {
      body: { description: 'x'.repeat(CHAIN_DESCRIPTION_MAX + 1) },
      message: 'Description must be at most 2000 characters',
    },
    { body: { sharedLevel: 'everyone' }, message: expect.stringContaining('Invalid option') },
    { body: { tagIds: [2147483647] }, message: 'There is no chain tag with the id 2147483647' },
    { body: { tagIds: null }, message: 'Expected array, received null' },
    { body: { ownerId: 2 }, message: 'Unrecognized key: "ownerId"' },
    { body: { id: 2 }, message: 'Unrecognized key: "id"' },
    { body: { canEdit: true }, message: 'Unrecognized key: "canEdit"' },
    { body: { steps: [] }, message: 'Unrecognized key: "steps"' },
    { body: { name: 'a\u0000b' }, message: 'Text must not contain NUL bytes' },
    { body: [], message: 'Expected object, received array' },
  ])(
    'POST and PATCH answer ‘Name is required’ and ‘Name must be less than 100 characters’, and refuse unknown fields. ($message)',
    async ({ body, message }) => {
      const { owner } = library
      const chain = await library.createChain(owner)
      const made = Array.isArray(body) ? body : { name: 'New', ...body }
      const replies = [
        await patch(chain.id, body),
        await library.request({ method: 'POST', url: '/api/chains', body: made, as: owner }),
      ]
      for (const reply of replies) {
        expect([reply.status, reply.body]).toMatchObject([400, { error: message }])
      }
      expect(await read(chain.id, owner)).toEqual(chain)
    },
  )

  test('a tag of another kind is no chain tag', async () => {
    const { owner } = library
    const tag = await library.createTag(owner, 'of prompts')
    const { id } = await library.createChain(owner)
    expect((await patch(id, { tagIds: [tag.id] })).status).toBe(400)
  })

  test('DELETE removes a chain with its steps.', async () => {
    const { owner, admin, db } = library
    const { id } = await library.createChain(owner, { name: 'Gone' })
    await library.createStep(owner, id)
    const reply = await library.request({ method: 'DELETE', url: `/api/chains/${id}`, as: admin })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(await db.$count(chainSteps, eq(chainSteps.chainId, id))).toBe(0)
    const again = await library.request({ method: 'DELETE', url: `/api/chains/${id}`, as: owner })
    expect([again.status, again.body]).toEqual([404, { error: 'Chain not found' }])
    const [row] = await db.select().from(activity).where(eq(activity.kind, 'chain.deleted'))
    expect(row).toMatchObject({
      personId: admin.user.id,
      objectType: 'chain',
      objectId: id,
      ownerId: owner.user.id,
    })
  })

  test('A chain can be copied.', async () => {
    const { owner, other } = library
    const tag = await library.createTag(owner, 'copied', '/api/chain-tags')
    const fields = { name: 'x'.repeat(98), description: 'why', tagIds: [tag.id], sharedLevel: 'public' }
    const { id } = await library.createChain(owner, fields)
    const settings = { systemPrompt: 'Be brief', temperature: 0.5, maxTokens: 100, model: 'claude' }
    await library.createStep(owner, id, { title: 'First', position: 7, ...settings })
    await library.createStep(owner, id, { position: 7 })
    await library.createStep(owner, id, { position: 3 })
    const source = await read(id, owner)
    const reply = await library.request({ method: 'POST', url: `/api/chains/${id}/duplicate`, as: other })
    expect(reply.status).toBe(201)
    const copy = reply.body as Chain
    expect(copy).toEqual({
      ...source,
      id: expect.any(Number),
      slug: expect.stringContaining('xxx'),
      version: 1,
      name: `${'x'.repeat(93)} (copy)`,
      sharedLevel: 'private',
      owner: 'Oskar',
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      canEdit: true,
      canDelete: true,
      steps: source.steps.map((step) => ({ ...step, id: expect.any(Number) })),
    })
    expect(new Set([...source.steps, ...copy.steps].map((step) => step.id)).size).toBe(6)
    expect(await read(id, owner)).toEqual(source)
  })
})

import type { BulkReply, Chain, Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const PROMPTS = '/api/prompts/bulk'
const CHAINS = '/api/chains/bulk'

describe.each(routeDatabaseKinds)('many prompts or chains at once on %s', (kind) => {
  let library: Library
  let owner: TestUser
  let other: TestUser
  let tagId: number
  let chainTagId: number
  beforeAll(async () => {
    library = await startLibrary(kind)
    ;({ owner, other } = library)
    tagId = (await library.createTag(owner, 'bulk')).id
    chainTagId = (await library.createTag(owner, 'bulk', '/api/chain-tags')).id
  })
  afterAll(() => library.close())

  const call = (url: string, body: object, as?: TestUser) =>
    library.request({ method: 'POST', url, body, as })
  const bulk = async (url: string, body: object, as: TestUser) => {
    const reply = await call(url, body, as)
    expect(reply.status, reply.text).toBe(200)
    return reply.body as BulkReply
  }
  const promptOf = async ({ id }: { id: number }, as = owner) =>
    (await library.request({ url: `/api/prompts/${id}`, as })).body as Prompt
  const chainOf = async ({ id }: { id: number }, as = owner) =>
    (await library.request({ url: `/api/chains/${id}`, as })).body as Chain
  const two = () => Promise.all([library.createPrompt(owner), library.createPrompt(owner)])

  test('One call tags or untags up to 200 prompts; their other tags stay, and no version is made.', async () => {
    const kept = await library.createTag(owner, 'kept')
    const [one, another] = await two()
    const full = await library.createPrompt(owner, { tagIds: [kept.id, tagId] })
    const ids = [one.id, full.id, another.id, one.id]
    const done = [one.id, full.id, another.id]
    expect(await bulk(PROMPTS, { ids, action: 'tag', tagId }, owner)).toEqual({ done, failed: [] })
    const tagged = await Promise.all([promptOf(one), promptOf(full)])
    expect(
      tagged.map(({ tags, version, revision }) => [tags.map(({ name }) => name), version, revision]),
    ).toEqual([
      [['bulk'], 1, 2],
      // It had the tag: nothing was changed.
      [['bulk', 'kept'], 1, 1],
    ])
    expect(await bulk(PROMPTS, { ids, action: 'untag', tagId }, owner)).toEqual({ done, failed: [] })
    expect((await promptOf(full)).tags.map(({ name }) => name)).toEqual(['kept'])
  })

  test('One call moves, switches or deletes up to 200 prompts.', async () => {
    const [one, another] = await two()
    const ids = [one.id, another.id]
    const made = await library.request({
      method: 'POST',
      url: '/api/categories',
      body: { name: 'Moved' },
      as: owner,
    })
    const { id: categoryId } = made.body as { id: number }
    const done = { done: ids, failed: [] }
    expect(await bulk(PROMPTS, { ids, action: 'move', categoryId }, owner)).toEqual(done)
    expect((await promptOf(another)).category).toBe('Moved')
    expect(await bulk(PROMPTS, { ids, action: 'deactivate' }, owner)).toEqual(done)
    expect((await promptOf(one)).isActive).toBe(false)
    expect(await bulk(PROMPTS, { ids, action: 'activate' }, owner)).toEqual(done)
    expect(await promptOf(one)).toMatchObject({ isActive: true, content: one.content, version: 1 })
    expect(await bulk(PROMPTS, { ids, action: 'delete' }, owner)).toEqual(done)
    const gone = ids.map((id) => ({ id, error: 'Prompt not found' }))
    expect(await bulk(PROMPTS, { ids, action: 'delete' }, owner)).toEqual({ done: [], failed: gone })
  })

  test('Of many prompts each is changed by the caller’s right to it alone; one that fails is named, and keeps no other from its change.', async () => {
    const [own] = await two()
    const hidden = await library.createPrompt(other)
    const seen = await library.createPrompt(other, { isPublic: true })
    const ids = [hidden.id, seen.id, 2_147_483_647, own.id]
    for (const action of ['deactivate', 'delete'])
      expect(await bulk(PROMPTS, { ids, action }, owner)).toEqual({
        done: [own.id],
        failed: [
          { id: hidden.id, error: 'Prompt not found' },
          { id: seen.id, error: 'You can’t change this prompt' },
          { id: 2_147_483_647, error: 'Prompt not found' },
        ],
      })
    expect(await promptOf(hidden, other)).toMatchObject({ isActive: true, revision: 1 })
    expect(await promptOf(seen, other)).toMatchObject({ isActive: true, revision: 1 })
  })

  test('One call tags, untags or deletes up to 200 chains, each by the caller’s right to it alone.', async () => {
    const own = await library.createChain(owner, { name: 'Own' })
    const hidden = await library.createChain(other, { name: 'Hidden' })
    const seen = await library.createChain(other, { name: 'Seen', sharedLevel: 'public' })
    const ids = [own.id, hidden.id, seen.id]
    const reply = (refusal: string) => ({
      done: [own.id],
      failed: [
        { id: hidden.id, error: 'Chain not found' },
        { id: seen.id, error: refusal },
      ],
    })
    const change = { ids, tagId: chainTagId }
    expect(await bulk(CHAINS, { ...change, action: 'tag' }, owner)).toEqual(
      reply('You can’t change this chain'),
    )
    const { tags, version } = await chainOf(own)
    expect([tags.map(({ name }) => name), version]).toEqual([['bulk'], own.version])
    await bulk(CHAINS, { ...change, action: 'untag' }, owner)
    expect((await chainOf(own)).tags).toEqual([])
    expect(await bulk(CHAINS, { ids, action: 'delete' }, owner)).toEqual(reply('You can’t delete this chain'))
    expect((await library.request({ url: `/api/chains/${own.id}`, as: owner })).status).toBe(404)
    expect((await chainOf(hidden, other)).name).toBe('Hidden')
  })

  test('a 51st tag is refused for the prompt that has 50', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `many ${n}`)
    const tagIds = []
    for (const name of names) tagIds.push((await library.createTag(owner, name)).id)
    const full = await library.createPrompt(owner, { tagIds })
    const [one] = await two()
    expect(await bulk(PROMPTS, { ids: [full.id, one.id], action: 'tag', tagId }, owner)).toEqual({
      done: [one.id],
      failed: [{ id: full.id, error: 'It already has 50 tags' }],
    })
  })

  test('Each record of such a call counts among the changes of a minute.', async () => {
    const person = await library.registerUser()
    await library.request({
      ...{ method: 'PATCH', url: `/api/admin/users/${person.user.id}/quotas`, as: library.admin },
      body: { writes: 100 },
    })
    const ids = Array.from({ length: 60 }, (_, n) => 1_000_000 + n)
    const statuses = []
    for (let n = 0; n < 2; n++) statuses.push((await call(PROMPTS, { ids, action: 'delete' }, person)).status)
    expect(statuses).toEqual([200, 429])
  })

  test('a guest changes nothing', async () => {
    const [one] = await two()
    for (const url of [PROMPTS, CHAINS])
      expect((await call(url, { ids: [one.id], action: 'delete' })).status).toBe(401)
    expect((await promptOf(one)).id).toBe(one.id)
  })

  test.each([
    { url: PROMPTS, body: { ids: [], action: 'delete' }, message: 'Choose at least one' },
    { url: PROMPTS, body: { ids: Array(201).fill(1), action: 'delete' }, message: 'At most 200 at once' },
    { url: CHAINS, body: { ids: Array(201).fill(1), action: 'delete' }, message: 'At most 200 at once' },
    { url: PROMPTS, body: { ids: [1], action: 'tag' }, message: 'Required' },
    { url: PROMPTS, body: { ids: [1], action: 'move' }, message: 'Required' },
    { url: PROMPTS, body: { ids: [1], action: 'delete', tagId: 1 }, message: 'Unrecognized key: "tagId"' },
    {
      url: PROMPTS,
      body: { ids: [1], action: 'publish' },
      message:
        "Invalid discriminator value. Expected 'tag' | 'untag' | 'move' | 'activate' | 'deactivate' | 'delete'",
    },
    {
      url: CHAINS,
      body: { ids: [1], action: 'deactivate' },
      message: "Invalid discriminator value. Expected 'tag' | 'untag' | 'delete'",
    },
    {
      url: PROMPTS,
      body: { ids: [1], action: 'tag', tagId: 99_999 },
      message: 'There is no prompt tag with the id 99999',
    },
    {
      url: CHAINS,
      body: { ids: [1], action: 'untag', tagId: 99_999 },
      message: 'There is no chain tag with the id 99999',
    },
    {
      url: PROMPTS,
      body: { ids: [1], action: 'move', categoryId: 99_999 },
      message: 'This category does not exist',
    },
  ])('refused as a whole: $url $body.action, $message', async ({ url, body, message }) => {
    const reply = await call(url, body, owner)
    expect([reply.status, (reply.body as { error: string }).error]).toEqual([400, message])
  })
})

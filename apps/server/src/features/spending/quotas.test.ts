import {
  type Chain,
  COUNTED_QUOTAS,
  type CountedQuota,
  type Group,
  type GroupQuota,
  type ManagedUser,
  type PersonQuota,
  type Prompt,
  type Quotas,
  type View,
} from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../database/schema/index.ts'
import { databaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

describe.each(databaseKinds)('quotas on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind, { settings: { quotas: {} } })
  })
  afterAll(() => library.close())

  const path = ({ user }: TestUser) => `/api/admin/users/${user.id}/quotas`
  const setBounds = async (person: TestUser, body: Partial<Record<keyof Quotas, number | null>>) => {
    const reply = await library.request({ method: 'PATCH', url: path(person), body, as: library.admin })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as PersonQuota[]
  }
  const usage = async (person: TestUser): Promise<Partial<Record<string, number | null>>> => {
    const { body } = await library.request({ url: path(person), as: library.admin })
    return Object.fromEntries((body as PersonQuota[]).map(({ quota, used }) => [quota, used]))
  }
  const post = (as: TestUser, url: string, body?: unknown) =>
    library.request({ method: 'POST', url, body, as })
  const newPrompt = (as: TestUser, fields: object = {}) =>
    post(as, '/api/prompts', { ...promptBody(library), ...fields })

  test('what each person keeps is counted as it is written, changed and deleted', async () => {
    const person = await library.registerUser()
    const nothing = Object.fromEntries(COUNTED_QUOTAS.map((quota) => [quota, 0]))
    expect(await usage(person)).toEqual({ ...nothing, money: 0, streams: null, reads: null, writes: null })

    const prompt = await library.createPrompt(person, { title: 'Tée', content: 'abc' })
    expect(await usage(person)).toMatchObject({ prompts: 1, versions: 1, text: 14 })
    const url = `/api/prompts/${prompt.id}`
    const body = { ...promptBody(library), title: 'Tée', content: 'abcdef' }
    await library.request({ method: 'PUT', url, body, as: person })
    expect(await usage(person)).toMatchObject({ prompts: 1, versions: 2, text: 27 })
    await library.request({ method: 'DELETE', url, as: person })
    expect(await usage(person)).toMatchObject(nothing)

    const chain = await library.createChain(person, { name: 'CC', exampleRequests: ['eee'] })
    await library.createStep(person, chain.id, { title: 't', content: 'cccc', systemPrompt: 'ss' })
    expect(await usage(person)).toMatchObject({ chains: 1, steps: 1, versions: 2, text: 23 })
    const copied = await post(person, `/api/chains/${chain.id}/duplicate`)
    expect(await usage(person)).toMatchObject({ chains: 2, steps: 2, versions: 3, text: 58 })
    for (const { id } of [chain, copied.body as Chain])
      await library.request({ method: 'DELETE', url: `/api/chains/${id}`, as: person })
    expect(await usage(person)).toMatchObject(nothing)

    await post(person, '/api/upload', { fileName: 'a.txt', content: 'éé' })
    await library.createVariable(person, { name: 'vv', content: 'xyz' })
    await library.createTag(person, 'tag')
    await post(person, '/api/categories', { name: 'cat' })
    const filled = { files: 1, uploads: 4, variables: 1, tags: 1, categories: 1, text: 11 }
    expect(await usage(person)).toMatchObject(filled)

    const view = await post(person, '/api/views', { name: 'née', page: 'chains', query: 'sort' })
    expect(await usage(person)).toMatchObject({ views: 1, text: 19 })
    const { id } = view.body as View
    await library.request({ method: 'DELETE', url: `/api/views/${id}`, as: person })
    expect(await usage(person)).toMatchObject({ ...filled, views: 0 })
  })

  test('What one person keeps and does is limited, settings of prompts and steps among the texts.', async () => {
    const person = await library.registerUser()
    const settings = { stop: ['é'], messages: [{ role: 'user' as const, content: 'Hello' }] }
    const bytes = Buffer.byteLength(JSON.stringify(settings))
    const { id } = await library.createPrompt(person, { title: 'ab', content: 'c', ...settings })
    expect(await usage(person)).toMatchObject({ text: 2 * (3 + bytes) })
    const url = `/api/prompts/${id}`
    const body = { ...promptBody(library), title: 'ab', content: 'c', stop: null, messages: null }
    await library.request({ method: 'PUT', url, body, as: person })
    expect(await usage(person)).toMatchObject({ versions: 2, text: 3 + (3 + bytes) + 3 })
    await library.request({ method: 'DELETE', url, as: person })
    expect(await usage(person)).toMatchObject({ text: 0 })
    const texts = async (fields: object) => {
      const chain = await library.createChain(person, { name: 'C' })
      await library.createStep(person, chain.id, { title: 't', content: 'c', ...fields })
      const { text } = await usage(person)
      await library.request({ method: 'DELETE', url: `/api/chains/${chain.id}`, as: person })
      return text ?? 0
    }
    // The step, and the version that has it.
    expect((await texts(settings)) - (await texts({}))).toBe(2 * bytes)
    expect(await usage(person)).toMatchObject({ text: 0 })
  })

  type Add = (n: number) => ReturnType<typeof post>
  /** How one of each is added, once what it belongs to is there. */
  const ADDS: Record<Exclude<CountedQuota, 'text' | 'uploads'>, (as: TestUser) => Promise<Add>> = {
    prompts: async (as) => () => newPrompt(as),
    versions: async (as) => {
      const { id } = await library.createPrompt(as)
      const put = { method: 'PUT' as const, url: `/api/prompts/${id}`, as }
      return (n) => library.request({ ...put, body: { ...promptBody(library), content: `Text ${n}` } })
    },
    variables: async (as) => (n) => post(as, '/api/variables', { name: `v_${n}`, type: 'text', content: '' }),
    files: async (as) => () => post(as, '/api/upload', { fileName: 'a.txt', content: 'a' }),
    chains: async (as) => (n) => post(as, '/api/chains', { name: `Chain ${n}` }),
    steps: async (as) => {
      const { id } = await library.createChain(as)
      const step = { content: 'Write.', position: 0 }
      return (n) => post(as, `/api/chains/${id}/steps`, { ...step, outputVariableName: `step_${n}` })
    },
    tags: async (as) => (n) => post(as, '/api/tags', { name: `${as.user.id} ${n}` }),
    categories: async (as) => (n) => post(as, '/api/categories', { name: `${as.user.id} ${n}` }),
    suites: async (as) => {
      const { id } = await library.createPrompt(as)
      return (n) => post(as, `/api/prompts/${id}/test-suites`, { name: `Suite ${n}` })
    },
    cases: async (as) => {
      const { id } = await library.createPrompt(as)
      const made = await post(as, `/api/prompts/${id}/test-suites`, { name: 'Suite' })
      const url = `/api/test-suites/${(made.body as { id: number }).id}/cases`
      return (n) => post(as, url, { name: `Case ${n}` })
    },
    views: async (as) => (n) => post(as, '/api/views', { name: `View ${n}`, page: 'prompts', query: '' }),
    groups: async (as) => {
      const makers = { method: 'PUT' as const, url: '/api/admin/groups', as: library.admin }
      await library.request({ ...makers, body: { madeBy: 'everyone' } })
      return (n) => post(as, '/api/groups', { name: `Group ${as.user.id} ${n}` })
    },
    webhooks: async (as) => () =>
      post(as, '/api/webhooks', { url: 'https://example.org', events: ['run.failed'] }),
  }

  test.each(Object.entries(ADDS) as [CountedQuota, (typeof ADDS)['prompts']][])(
    'of parallel writes as many pass as there is room for %s',
    async (quota, prepare) => {
      const person = await library.registerUser()
      const add = await prepare(person)
      const before = (await usage(person))[quota] ?? 0
      const bound = before + 4
      await setBounds(person, { [quota]: bound })
      const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)))
      const passed = replies.filter(({ status }) => status === 201 || status === 200)
      expect(passed).toHaveLength(4)
      for (const { status, body } of replies.filter((reply) => !passed.includes(reply))) {
        expect(status).toBe(403)
        expect(body).toMatchObject({ details: { quota, bound, used: bound } })
      }
      expect((await usage(person))[quota]).toBe(bound)
    },
  )

  test('a refusal says what the bound is, what is there and what to do; nothing of the write stays', async () => {
    const person = await library.registerUser()
    await setBounds(person, { text: 3_000, versions: 2 })
    expect((await newPrompt(person, { title: 'ab', content: 'x'.repeat(1_000) })).status).toBe(201)
    const refused = await newPrompt(person, { title: 'ab', content: 'x'.repeat(500) })
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        error:
          'You can have 3,000 bytes of text; you have 2,004, and this would be more. ' +
          'Delete what you no longer need, or ask an administrator for more.',
        details: { quota: 'text', bound: 3_000, used: 2_004 },
      },
    ])
    expect(await usage(person)).toMatchObject({ prompts: 1, versions: 1, text: 2_004 })
    const list = await library.request({ url: '/api/prompts', as: person })
    expect((list.body as Prompt[]).filter(({ owner }) => owner === person.user.username)).toHaveLength(1)
  })

  test('copies count, and what an editor adds counts for the owner', async () => {
    const [owner, editor] = [await library.registerUser(), await library.registerUser()]
    const chain = await library.createChain(owner, { sharedLevel: 'shared' })
    const shares = [{ username: editor.user.username, role: 'editor' }]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body: shares, as: owner })
    await library.createStep(owner, chain.id)
    await setBounds(owner, { chains: 1, steps: 2 })
    expect((await post(owner, `/api/chains/${chain.id}/duplicate`)).status).toBe(403)
    await library.createStep(editor, chain.id)
    const step = { content: 'Write.', outputVariableName: 'more', position: 9 }
    expect((await post(editor, `/api/chains/${chain.id}/steps`, step)).status).toBe(403)
    await setBounds(editor, { steps: 1 })
    expect((await post(editor, `/api/chains/${chain.id}/duplicate`)).status).toBe(403)
    expect(await usage(editor)).toMatchObject({ chains: 0, steps: 0 })
    expect(await usage(owner)).toMatchObject({ chains: 1, steps: 2 })
  })

  test('a person over a limit keeps what they have, may reduce it, and adds nothing', async () => {
    const person = await library.registerUser()
    const prompt = await library.createPrompt(person, { content: 'x'.repeat(500) })
    await library.createPrompt(person)
    const versions = await usage(person)
    await setBounds(person, { prompts: 1, text: 100 })
    expect(await usage(person)).toEqual(versions)
    expect((await newPrompt(person)).status).toBe(403)
    const share = {
      method: 'PATCH' as const,
      url: `/api/prompts/${prompt.id}/share`,
      body: { sharedLevel: 'public' },
    }
    expect((await library.request({ ...share, as: person })).status).toBe(200)
    const url = `/api/prompts/${prompt.id}`
    expect((await library.request({ method: 'DELETE', url, as: person })).status).toBe(204)
    expect((await newPrompt(person)).status).toBe(403)
  })

  test('An administrator alone sees and changes a person’s limits.', async () => {
    const person = await library.registerUser()
    for (const as of [undefined, person]) {
      const url = path(library.owner)
      expect((await library.request({ url, as })).status).toBe(as === undefined ? 401 : 403)
      const change = await library.request({ method: 'PATCH', url, body: { prompts: 1 }, as })
      expect(change.status).toBe(as === undefined ? 401 : 403)
    }
    const find = (quotas: PersonQuota[], wanted: string) => quotas.find(({ quota }) => quota === wanted)
    const set = find(await setBounds(person, { prompts: 7 }), 'prompts')
    expect(set).toEqual({ quota: 'prompts', used: 0, bound: 7, usual: 10_000 })
    expect(find(await setBounds(person, { chains: 3 }), 'prompts')?.bound).toBe(7)
    expect(find(await setBounds(person, { prompts: null }), 'prompts')?.bound).toBe(10_000)
    const listed = (await library.request({ url: '/api/admin/users', as: library.admin }))
      .body as ManagedUser[]
    expect(listed.find(({ id }) => id === person.user.id)?.usage).toMatchObject({ prompts: 0, text: 0 })
    const patch = (body: unknown, url = path(person)) =>
      library.request({ method: 'PATCH', url, body, as: library.admin })
    for (const body of [{}, { prompts: -1 }, { prompts: 1.5 }, { rows: 1 }])
      expect((await patch(body)).status).toBe(400)
    expect((await patch({ prompts: 1 }, '/api/admin/users/999999/quotas')).status).toBe(404)
  })

  test('Of limits that groups give their members the highest counts, and a person’s own before it.', async () => {
    const person = await library.registerUser()
    const { username } = person.user
    const bounded = async (name: string, bound: number): Promise<Group> => {
      const made = await post(library.admin, '/api/groups', { name, members: [username] })
      const group = made.body as Group
      const url = `/api/admin/groups/${group.id}/quotas`
      const set = { method: 'PATCH' as const, url, body: { prompts: bound }, as: library.admin }
      const reply = await library.request(set)
      expect(reply.body).toContainEqual({ quota: 'prompts', bound, usual: 10_000 })
      expect((await library.request({ ...set, as: person })).status).toBe(403)
      expect((await library.request({ url, as: person })).status).toBe(403)
      return group
    }
    const few = await bounded(`Few ${username}`, 1)
    expect((await newPrompt(person)).status).toBe(201)
    expect((await newPrompt(person)).body).toMatchObject({ details: { quota: 'prompts', bound: 1, used: 1 } })
    const more = await bounded(`More ${username}`, 2)
    expect((await newPrompt(person)).status).toBe(201)
    expect((await newPrompt(person)).status).toBe(403)
    const shown = await library.request({ url: path(person), as: library.admin })
    expect(shown.body).toContainEqual({ quota: 'prompts', used: 2, bound: 2, usual: 2 })
    await setBounds(person, { prompts: 3 })
    expect((await newPrompt(person)).status).toBe(201)
    expect((await newPrompt(person)).status).toBe(403)
    await setBounds(person, { prompts: null })
    // Who leaves keeps what is there, and has the limits of the others.
    const leave = ({ id }: Group) =>
      library.request({
        ...{ method: 'PUT', url: `/api/groups/${id}/members`, as: library.admin },
        body: { usernames: [] },
      })
    await leave(more)
    expect((await newPrompt(person)).body).toMatchObject({ details: { bound: 1, used: 3 } })
    await leave(few)
    expect((await newPrompt(person)).status).toBe(201)
    const quotas = (await library.request({ url: path(person), as: library.admin })).body as PersonQuota[]
    expect(quotas.find(({ quota }) => quota === 'prompts')?.bound).toBe(10_000)
    const unset = await library.request({
      ...{ method: 'PATCH', url: `/api/admin/groups/${few.id}/quotas`, as: library.admin },
      body: { prompts: null },
    })
    expect((unset.body as GroupQuota[]).every(({ bound }) => bound === null)).toBe(true)
    const away = await library.request({ url: '/api/admin/groups/999999/quotas', as: library.admin })
    expect([away.status, away.body]).toEqual([404, { error: 'Group not found' }])
  })

  test('changes a minute are bounded for each person, from their next call on', async () => {
    const person = await library.registerUser()
    await setBounds(person, { writes: 2 })
    const replies = []
    for (let n = 0; n < 3; n += 1) replies.push(await newPrompt(person))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 429])
    expect(replies[2]?.headers['retry-after']).toMatch(/^\d+$/)
    expect(replies[2]?.body).toMatchObject({
      error: expect.stringMatching(/^You can make 2 changes a minute\./),
    })
    expect((await library.request({ url: '/api/prompts', as: person })).status).toBe(200)
    expect((await newPrompt(library.owner)).status).toBe(201)
  })

  test('a large change counts as several', async () => {
    const person = await library.registerUser()
    await setBounds(person, { writes: 20 })
    const large = { content: 'large '.repeat(50_000) }
    expect((await newPrompt(person, large)).status).toBe(201)
    const replies = []
    for (let n = 0; n < 5; n += 1) replies.push((await newPrompt(person)).status)
    expect(replies).toEqual([201, 201, 201, 201, 429])
  })

  test('a change that does not say how large it is counts as the largest', async () => {
    const person = await library.registerUser()
    await setBounds(person, { writes: 76 })
    const unsaid = { headers: { 'transfer-encoding': 'chunked' }, body: promptBody(library), as: person }
    expect((await library.request({ method: 'POST', url: '/api/prompts', ...unsaid })).status).toBe(201)
    expect((await newPrompt(person)).status).toBe(201)
    expect((await newPrompt(person)).status).toBe(429)
  })

  test('a deleted account takes its counts along, and what it leaves to others counts for nobody', async () => {
    const person = await library.registerUser()
    const chain = await library.createChain(person)
    await library.createStep(person, chain.id)
    await library.createPrompt(person)
    await library.createTag(person, 'left behind')
    await library.db.delete(users).where(eq(users.id, person.user.id))
    expect((await library.request({ url: path(person), as: library.admin })).status).toBe(404)
    const tags = await library.request({ url: '/api/tags/search?name=left%20behind' })
    expect(tags.body).toMatchObject({ name: 'left behind' })
  })
})

import type {
  Chain,
  ChainRunSummary,
  ExecutePromptReply,
  Prompt,
  PromptRun,
  RunRatings,
} from '@catenary/contracts'
import { count, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runRatings, usages } from '../../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'

const RATING_NOTE_MAX = 500

const UP = { thumb: 'up', note: 'The best opening of three' }

describe.each(routeDatabaseKinds)('ratings of answers on %s', (kind) => {
  let library: ChainLibrary
  let prompt: Prompt
  let chain: Chain
  const people: Record<string, TestUser | undefined> = {}
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    const viewer = await library.registerUser({ username: 'Vera' })
    const editor = await library.registerUser({ username: 'Edda' })
    const disabled = await library.registerUser({ username: 'Dora' })
    const { owner, other, admin } = library
    Object.assign(people, { guest: undefined, other, viewer, editor, owner, admin, disabled })
    const url = `/api/admin/users/${disabled.user.id}`
    await library.request({ method: 'PATCH', url, body: { disabled: true }, as: admin })
    prompt = await library.createPrompt(owner, { content: 'Write.' })
    chain = await library.buildChain(['one'], { sharedLevel: 'shared' })
    const shares = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edda', role: 'editor' },
    ]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body: shares, as: owner })
  })
  afterAll(() => library.close())

  const runPrompt = async (as = library.owner) => {
    const body = { promptId: prompt.id, model: 'openai' }
    const reply = await library.request({ method: 'POST', url: '/api/execute-prompt', body, as })
    return (reply.body as ExecutePromptReply).executionId
  }
  const runChain = async (as = library.owner) => {
    const id = await library.execute(chain.id, {}, as)
    await library.ended(id, as)
    return id
  }
  const rate = (id: number, { as, ...body }: { as: TestUser | undefined } & Record<string, unknown>) =>
    library.request({ method: 'PUT', url: `/api/executions/${id}/rating`, body, as })
  const ratingsOf = async (id: number, as: TestUser) =>
    (await library.request({ url: `/api/executions/${id}/ratings`, as })).body as RunRatings
  const history = async (query = '', as = library.owner) =>
    (await library.request({ url: `/api/prompts/${prompt.id}/executions${query}`, as })).body as PromptRun[]

  test('Any answer takes a thumb and a note.', async () => {
    const { owner } = library
    const [id, other] = [await runPrompt(), await runPrompt()]
    expect(await ratingsOf(id, owner)).toEqual({ own: null, others: [] })
    const saved = await rate(id, { ...UP, note: `  ${UP.note} `, as: owner })
    expect([saved.status, saved.body]).toEqual([200, UP])
    expect((await history()).map(({ id, rating }) => ({ id, rating }))).toEqual([
      { id: other, rating: undefined },
      { id, rating: UP },
    ])
    await rate(id, { thumb: null, note: 'Read it again', as: owner })
    expect((await ratingsOf(id, owner)).own).toEqual({ thumb: null, note: 'Read it again' })
    const url = `/api/executions/${id}/rating`
    for (const _ of ['taken back', 'there is none'])
      expect((await library.request({ method: 'DELETE', url, as: owner })).status).toBe(204)
    expect(await ratingsOf(id, owner)).toEqual({ own: null, others: [] })
  })

  test('histories are asked for what one rated up or down', async () => {
    const { owner } = library
    const [up, down] = [await runPrompt(), await runPrompt()]
    await rate(up, { ...UP, as: owner })
    await rate(down, { thumb: 'down', note: '', as: owner })
    expect((await history('?rated=up')).map(({ id }) => id)).toEqual([up])
    expect((await history('?rated=down')).map(({ id }) => id)).toEqual([down])
    const run = await runChain()
    await runChain()
    await rate(run, { ...UP, as: owner })
    const url = `/api/chains/${chain.id}/executions?rated=up`
    const { body, headers } = await library.request({ url, as: owner })
    expect((body as ChainRunSummary[]).map(({ id, rating }) => [id, rating])).toEqual([[run, UP]])
    expect(headers['x-total-count']).toBe('1')
  })

  test('Who started a run sees others’ ratings of it.', async () => {
    const { owner } = library
    const id = await runChain()
    await rate(id, { ...UP, as: owner })
    await rate(id, { thumb: 'down', note: 'Too long', as: people.editor })
    expect(await ratingsOf(id, owner)).toEqual({
      own: UP,
      others: [{ thumb: 'down', note: 'Too long', username: 'Edda', ratedAt: expect.any(String) }],
    })
    expect(await ratingsOf(id, people.editor ?? owner)).toEqual({
      own: { thumb: 'down', note: 'Too long' },
      others: [],
    })
  })

  test.each([
    { body: { thumb: null, note: ' ' }, path: 'thumb' },
    { body: { thumb: 'sideways', note: '' }, path: 'thumb' },
    { body: { thumb: 'up', note: 'n'.repeat(RATING_NOTE_MAX + 1) }, path: 'note' },
    { body: { thumb: 'up' }, path: 'note' },
  ])('what is no rating is refused at its field: $path', async ({ body, path }) => {
    const reply = await rate(await runPrompt(), { ...body, as: library.owner })
    expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path }] }])
  })

  test('Ratings go with the run, and count as text.', async () => {
    const { owner, db } = library
    const textOf = async () => {
      const [found] = await db
        .select({ text: usages.text })
        .from(usages)
        .where(eq(usages.userId, owner.user.id))
      return found?.text ?? 0
    }
    const before = await textOf()
    const id = await runPrompt()
    await rate(id, { thumb: 'up', note: 'schön', as: owner })
    expect(await textOf()).toBe(before + 6)
    await rate(id, { thumb: 'down', note: '', as: owner })
    expect(await textOf()).toBe(before)
    await rate(id, { ...UP, as: owner })
    await library.request({ method: 'DELETE', url: `/api/executions/${id}`, as: owner })
    expect(await textOf()).toBe(before)
    const rows = db.select({ count: count() }).from(runRatings).where(eq(runRatings.executionId, id))
    expect(await rows).toEqual([{ count: 0 }])
  })

  const SEES = { read: 200, write: 200, remove: 204 }
  const LOG_IN = { read: 401, write: 401, remove: 401 }
  const HIDDEN = { read: 404, write: 404, remove: 404 }
  const FIGURES = { read: 403, write: 403, remove: 403 }
  const MATRIX = {
    'a run of a shared chain': { owner: SEES, editor: SEES, viewer: HIDDEN, other: HIDDEN, admin: FIGURES },
    'a run of a private prompt': {
      owner: SEES,
      editor: HIDDEN,
      viewer: HIDDEN,
      other: HIDDEN,
      admin: FIGURES,
    },
    'a run of a public prompt': { owner: SEES, editor: HIDDEN, viewer: HIDDEN, other: HIDDEN, admin: SEES },
  }
  const runs: Record<keyof typeof MATRIX, () => Promise<number>> = {
    'a run of a shared chain': () => runChain(),
    'a run of a private prompt': () => runPrompt(),
    'a run of a public prompt': async () => {
      const open = await library.createPrompt(library.owner, { content: 'Write.', isPublic: true })
      const body = { promptId: open.id, model: 'openai' }
      const { body: reply } = await library.request({
        ...{ method: 'POST', url: '/api/execute-prompt', body, as: library.owner },
      })
      return (reply as ExecutePromptReply).executionId
    },
  }
  test.each(Object.keys(MATRIX) as (keyof typeof MATRIX)[])(
    'Each role may rate what it can read. (%s)',
    async (which) => {
      const id = await runs[which]()
      for (const [who, cell] of Object.entries({ ...MATRIX[which], guest: LOG_IN, disabled: LOG_IN })) {
        const as = people[who]
        const url = `/api/executions/${id}/rating`
        expect((await library.request({ url: `${url}s`, as })).status, who).toBe(cell.read)
        expect((await rate(id, { ...UP, as })).status, who).toBe(cell.write)
        expect((await library.request({ method: 'DELETE', url, as })).status, who).toBe(cell.remove)
      }
    },
  )
})

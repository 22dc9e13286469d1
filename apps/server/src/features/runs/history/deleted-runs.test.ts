import type { PromptRun } from '@catenary/contracts'
import { desc, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'

const LONG_HISTORY = 70_000

describe.each(routeDatabaseKinds)('what becomes of runs under way that are deleted, on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const untilCalled = async (send: () => unknown) => {
    const before = library.fake.journal.length
    library.fake.reply({ text: ['half'], fault: 'silence' })
    const sent = send()
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(before + 1))
    return sent
  }
  const known = new Set<number>()
  const startPromptRun = async (promptId: number): Promise<number> => {
    const body = { promptId, model: 'openai' }
    await untilCalled(() => {
      void library.request({ method: 'POST', url: '/api/execute-prompt', body, as: library.owner })
    })
    const url = `/api/prompts/${promptId}/executions?limit=100`
    return vi.waitFor(async () => {
      const runs = (await library.request({ url, as: library.owner })).body as PromptRun[]
      const started = runs.find(({ id, status }) => status === 'running' && !known.has(id))
      if (started === undefined) throw new Error('The run is not recorded yet')
      known.add(started.id)
      return started.id
    })
  }
  const remove = async (url: string) =>
    (await library.request({ method: 'DELETE', url, as: library.owner })).status
  const expectStopped = (calls: number) =>
    vi.waitFor(() =>
      expect(library.fake.journal.map(({ state }) => state)).toEqual(Array(calls).fill('closed-by-client')),
    )

  test('a history of 70,000 runs is cleared, and those under way are stopped', {
    timeout: 120_000,
  }, async () => {
    const { id: promptId } = await library.createPrompt(library.owner, { content: 'Hi' })
    await library.db.execute(sql`
      insert into executions (kind, user_id, prompt_id, status)
      select 'prompt', ${library.owner.user.id}, ${promptId}, 'completed' from generate_series(1, ${LONG_HISTORY})`)
    for (let run = 0; run < 3; run += 1) await startPromptRun(promptId)
    expect(await library.db.$count(runs)).toBe(LONG_HISTORY + 3)
    expect(await remove(`/api/prompts/${promptId}/executions`)).toBe(204)
    expect(await library.db.$count(runs)).toBe(0)
    await expectStopped(3)
  })

  test('a deleted chain takes its runs along and stops them', async () => {
    const chain = await library.buildChain(['one', 'two'])
    for (let run = 0; run < 3; run += 1) await untilCalled(() => library.execute(chain.id))
    expect(await remove(`/api/chains/${chain.id}`)).toBe(204)
    await expectStopped(3)
    expect(await library.db.$count(runs)).toBe(0)
  })

  test('a deleted prompt leaves its runs, stopped', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Hi' })
    const id = await startPromptRun(prompt.id)
    expect(await remove(`/api/prompts/${prompt.id}`)).toBe(204)
    await expectStopped(1)
    expect(await library.ended(id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled' })
  })

  test('a prompt that is deleted before its run is recorded leaves it too, stopped', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Hi' })
    const body = { promptId: prompt.id, model: 'openai' }
    await untilCalled(() => {
      void library.request({ method: 'POST', url: '/api/execute-prompt', body, as: library.owner })
    })
    expect(await remove(`/api/prompts/${prompt.id}`)).toBe(204)
    await expectStopped(1)
    await vi.waitFor(async () => {
      const [run] = await library.db.select().from(runs).orderBy(desc(runs.id)).limit(1)
      expect(run).toMatchObject({ promptId: null, status: 'cancelled', errorCode: 'cancelled' })
    })
  })

  test('a deleted person’s runs go and are stopped', async () => {
    const chain = await library.buildChain(['one'], { sharedLevel: 'public' })
    const person = await library.registerUser()
    await untilCalled(() => library.execute(chain.id, undefined, person))
    await library.db.execute(sql`delete from users where id = ${person.user.id}`)
    await expectStopped(1)
  })
})

import type { Chain, ExecutePromptReply } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../../database/schema/index.ts'
import { systemClock } from '../../../platform/models/retry.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { databaseKinds } from '../../../testing/database.ts'

const DAY_MS = 86_400_000

describe.each(databaseKinds)('clocks that jump, on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind, { clock: systemClock })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())
  afterEach(() => {
    vi.useRealTimers()
  })

  /** As the database sees it once its clock was set: every lease is long over. */
  const passLeases = () =>
    library.db
      .update(runs)
      .set({ leaseUntil: sql`now() - interval '1 minute'` })
      .where(eq(runs.status, 'running'))

  const stop = (id: number) =>
    library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })

  test('a process never takes over what it is running itself', async () => {
    const chain = await library.buildChain(['one'])
    library.fake.reply({ status: 400 })
    const failed = await library.execute(chain.id)
    await library.ended(failed)
    library.fake.reply({ text: ['stuck'], fault: 'silence' })
    const running = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
    await passLeases()
    // A waiting run makes every worker poll; of the waiting runs, the other would come first.
    await library.request({ method: 'POST', url: `/api/executions/${failed}/resume`, as: library.owner })
    expect((await library.ended(failed)).status).toBe('completed')
    await library.execute(chain.id).then(library.ended)
    expect(library.fake.journal).toHaveLength(4)
    await stop(running)
    expect(await library.ended(running)).toMatchObject({ status: 'cancelled' })
  })

  test.each([
    { way: 'back', by: -DAY_MS },
    { way: 'on', by: DAY_MS },
  ])('a clock that is set a day $way during a step changes no duration', async ({ by }) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const setClock = async () => void vi.setSystemTime(Date.now() + by)
    const chain: Chain = await library.buildChain(['one', 'two'])
    library.fake.reply({ before: setClock }, { text: ['half'], before: setClock, fault: 'malformed' })
    const run = await library.ended(await library.execute(chain.id))
    expect(run.steps.map(({ status }) => status)).toEqual(['completed', 'failed'])
    for (const { durationMs } of [...run.steps, run]) {
      expect(durationMs).toBeGreaterThanOrEqual(0)
      expect(durationMs).toBeLessThan(DAY_MS / 2)
    }
  })

  test('nor does it take over a prompt’s run', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { id: promptId } = await library.createPrompt(library.owner)
    library.fake.reply({ before: async () => void vi.setSystemTime(Date.now() - DAY_MS) })
    const reply = await library.request({
      method: 'POST',
      url: '/api/execute-prompt',
      body: { promptId, model: 'openai' },
      as: library.owner,
    })
    expect(reply.status, reply.text).toBe(200)
    expect((reply.body as ExecutePromptReply).durationMs).toBeGreaterThanOrEqual(0)
  })
})

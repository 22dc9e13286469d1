import type { ExecutePromptReply, PromptRun, RunDetails, RunState } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { createSteppedClock, type SteppedClock } from '../../testing/fake-providers/stepped-clock.ts'
import { type Gateway, startGateway } from '../../testing/gateway.ts'

const RUNS = 20
const WINDOW_MS = 4_000
const REFUSED = { status: 429, retryAfter: `${WINDOW_MS / 1_000}` }

describe.each(routeDatabaseKinds)('a rate limit of a provider, on %s', (kind) => {
  let library: Gateway
  let clock: SteppedClock
  beforeAll(async () => {
    clock = createSteppedClock()
    library = await startGateway(kind, { clock, hasCustom: true, customKey: 'another' }, { metrics: true })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const sent = () => library.fake.journal.length
  /** A window of the provider after the other, each of which takes so many calls, until all is done. */
  const passWindows = async (all: Promise<unknown>, calls: number): Promise<number> => {
    let open = 0
    let isDone = false
    let windows = 0
    void all.then(() => {
      isDone = true
    })
    library.fake.replyByDefault(() => {
      open -= 1
      return open < 0 ? REFUSED : { text: 'Here.' }
    })
    while (!isDone) {
      open = calls
      windows += 1
      await clock.pass(WINDOW_MS)
      await expect.poll(() => isDone || open < 0).toBe(true)
    }
    return windows
  }
  const waiting = async (id: number): Promise<RunState> => {
    await expect.poll(async () => (await library.status(id)).steps[0]?.waitsFor).toBeDefined()
    return library.status(id)
  }
  /** A run that has met the limit. */
  const meet = async (chainId: number): Promise<number> => {
    library.fake.reply(REFUSED)
    const id = await library.execute(chainId)
    await waiting(id)
    return id
  }

  test('Twenty runs that meet a limit all complete, with one refusal a window.', async () => {
    const chain = await library.buildChain(['one'])
    const first = await meet(chain.id)
    const others = await Promise.all(Array.from({ length: RUNS - 1 }, () => library.execute(chain.id)))
    for (const id of others) await waiting(id)
    expect(sent()).toBe(1)
    const ended = Promise.all([first, ...others].map((id) => library.ended(id)))
    const windows = await passWindows(ended, 5)
    const runs = await ended
    expect(runs.map(({ status }) => status)).toEqual(Array(RUNS).fill('completed'))
    expect(library.fake.journal.length - RUNS).toBeLessThanOrEqual(windows)
    for (const { steps } of runs) expect(steps[0]?.limitWaitMs).toBeGreaterThan(0)
  })

  test('A run that waits says for whose rate limit and how long yet, and afterwards how long it did.', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    const id = await meet(chain.id)
    expect((await library.status(id)).steps).toMatchObject([
      {
        status: 'running',
        retries: 1,
        waitsFor: { vendor: 'OpenAI', isOverload: false, until: expect.any(String) },
      },
      { status: 'waiting' },
    ])
    const prompt = await library.createPrompt(library.owner)
    const call = library.request({
      method: 'POST',
      url: '/api/execute-prompt',
      body: { promptId: prompt.id, model: 'openai' },
      headers: { accept: 'text/event-stream' },
      as: library.owner,
    })
    await waiting(id + 1)
    library.fake.replyByDefault({ text: 'Here.' })
    await clock.pass(WINDOW_MS)
    const run: RunDetails = await library.ended(id)
    expect(run.steps[0]?.limitWaitMs).toBeGreaterThan(0)
    expect((await library.status(id)).steps[0]).not.toHaveProperty('waitsFor')
    const { text } = await call
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
      name,
      data: JSON.parse(data ?? '{}') as Partial<ExecutePromptReply>,
    }))
    expect(events.map(({ name }) => name)).toEqual(['start', 'wait', 'wait', 'delta', 'done'])
    expect(events[1]?.data).toMatchObject({ waitsFor: { vendor: 'OpenAI' } })
    expect(events[2]?.data).toEqual({})
    const { executionId, limitWaitMs } = events[4]?.data ?? {}
    expect(limitWaitMs).toBeGreaterThan(0)
    const url = `/api/prompts/${prompt.id}/executions/${executionId}`
    const kept = (await library.request({ url, as: library.owner })).body as PromptRun
    expect(kept.limitWaitMs).toBe(limitWaitMs)
    const later = await library.ended(await library.execute(chain.id))
    expect(later.steps[0]).not.toHaveProperty('limitWaitMs')
    const metrics = (await library.request({ url: '/metrics' })).text
    expect(metrics).toMatch(/model_limit_wait_seconds_count\{provider="openai"\} \d+/)
  })

  test('A run that waits can be stopped at once, and leaves its place to others.', async () => {
    const chain = await library.buildChain(['one'])
    library.fake.reply({ status: 429, retryAfter: '30' })
    const id = await library.execute(chain.id)
    await waiting(id)
    const tested = await library.request({
      method: 'POST',
      url: '/api/admin/models/openai/test',
      as: library.admin,
    })
    expect(tested.body).toMatchObject({
      ok: false,
      error: expect.stringMatching(/quota or rate limit.*asks callers to wait/),
    })
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: library.owner })
    const run = await library.ended(id)
    expect(run).toMatchObject({ status: 'cancelled' })
    expect(sent()).toBe(1)
    await clock.pass(30_000)
  })

  test('A provider that asks for longer than a minute counts as failed, and the fallback is asked.', async () => {
    const chain = await library.buildChain(['one'])
    library.fake.reply({ status: 429, retryAfter: '300' })
    const refused = {
      status: 'failed',
      errorCode: 'model_quota',
      error: expect.stringMatching(/asks callers to wait 300 s/),
    }
    expect(await library.ended(await library.execute(chain.id))).toMatchObject(refused)
    expect(await library.ended(await library.execute(chain.id))).toMatchObject(refused)
    expect(sent()).toBe(1)
    const withFallback = await library.buildChain([{ content: 'one', fallbackModel: 'custom' }])
    const { steps } = await library.ended(await library.execute(withFallback.id))
    expect(steps[0]?.fallback).toMatchObject({ model: 'custom', reason: refused.error })
    expect(sent()).toBe(2)
    await clock.pass(300_000)
    expect(await library.ended(await library.execute(chain.id))).toMatchObject({ status: 'completed' })
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import type { RetryNotice } from './model-types.ts'
import { systemClock } from './retry.ts'

const [wire] = FAKE_WIRES
const call = { alias: wire.alias, prompt: 'hi' }

describe('a call that is tried again', () => {
  let on: ModelsOnFake
  let notices: RetryNotice[]
  beforeEach(async () => {
    notices = []
    on = await startModelsOnFake({ wire, onRetry: (notice) => void notices.push(notice) })
  })
  afterEach(() => on.close())

  it('waits twice as long each time and tells so', async () => {
    on.fake.replyByDefault({ status: 500 })
    await expect(on.models.generate(call)).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(on.waits).toEqual([375, 750, 1500])
    expect(notices).toEqual([
      { alias: 'claude', retry: 1, delayMs: 375, code: 'model_unavailable' },
      { alias: 'claude', retry: 2, delayMs: 750, code: 'model_unavailable' },
      { alias: 'claude', retry: 3, delayMs: 1500, code: 'model_unavailable' },
    ])
    expect(on.logged).toContainEqual(notices[0])
  })

  it('waits as many seconds as the provider asks for', async () => {
    on.fake.reply({ status: 429, retryAfter: '7' }, { status: 529, retryAfter: '0' })
    await on.models.generate(call)
    // Some of the seven seconds may be over.
    expect(on.waits).toEqual([expect.closeTo(7_000, -3), 750])
  })

  it('waits until the date that the provider names', async () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString()
    on.fake.reply({ status: 429, retryAfter: inTenSeconds })
    await on.models.generate(call)
    expect(on.waits).toHaveLength(1)
    expect(on.waits[0]).toBeGreaterThan(5_000)
    expect(on.waits[0]).toBeLessThanOrEqual(10_000)
  })

  it.each(['nonsense', '-5'])('takes no advice from a Retry-After of %s', async (retryAfter) => {
    on.fake.reply({ status: 429, retryAfter })
    await on.models.generate(call)
    expect(on.waits).toEqual([375])
  })

  it('fails at once, saying so, when the provider asks for an hour', async () => {
    on.fake.replyByDefault({ status: 429, retryAfter: '3600' })
    await expect(on.models.generate(call)).rejects.toMatchObject({
      code: 'model_quota',
      message: expect.stringMatching(/quota.*3600 s/),
    })
    expect(on.fake.journal).toHaveLength(1)
    expect(on.waits).toEqual([])
  })

  it('is stopped at once by its caller while it waits', async () => {
    const caller = new AbortController()
    const slow = await startModelsOnFake({
      wire,
      clock: systemClock,
      onRetry: () => void setImmediate(() => caller.abort()),
    })
    slow.fake.replyByDefault({ status: 429, retryAfter: '25' })
    await expect(slow.models.generate({ ...call, signal: caller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    await nextTurn()
    expect(slow.fake.journal).toHaveLength(1)
    await slow.close()
  })

  it('is not even begun for a caller that has already stopped', async () => {
    await expect(on.models.generate({ ...call, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect(on.fake.journal).toHaveLength(0)
  })
})

it('finds nobody listening: tried again, then unavailable', async () => {
  const on = await startModelsOnFake({ wire, baseUrl: 'http://127.0.0.1:9' })
  await expect(on.models.generate(call)).rejects.toMatchObject({ code: 'model_unavailable' })
  expect(on.waits).toHaveLength(3)
  await on.close()
})

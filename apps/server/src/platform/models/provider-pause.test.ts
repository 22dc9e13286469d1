import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FakeReply } from '../../testing/fake-providers/fake-reply.ts'
import {
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import { createSteppedClock, type SteppedClock } from '../../testing/fake-providers/stepped-clock.ts'
import type { LimitWait, ModelCall, ModelResult } from './model-types.ts'
import { shareModels } from './share-models.ts'

const [wire] = FAKE_WIRES
const MINUTE = 60_000
const REFUSED = { code: 'model_quota', status: 429 }

describe('calls of a provider that asks to be left alone', () => {
  let on: ModelsOnFake
  let clock: SteppedClock
  beforeEach(async () => {
    clock = createSteppedClock()
    on = await startModelsOnFake({ wire, clock })
  })
  afterEach(() => on.close())

  const ask = (fields: Partial<ModelCall> = {}): Promise<ModelResult> => {
    const answer = on.models.generate({ alias: wire.alias, prompt: 'hi', ...fields } as ModelCall)
    answer.catch(() => undefined)
    return answer
  }
  const askOften = (count: number, fields: Partial<ModelCall> = {}) =>
    Array.from({ length: count }, () => ask(fields))
  const sent = () => on.fake.journal.length
  /** One call meets the refusal, and waits as long as it may. */
  const meet = async (
    refusal: FakeReply,
    fields: Partial<ModelCall> = {},
  ): Promise<{ first: Promise<ModelResult> }> => {
    on.fake.reply({ status: 429, ...refusal })
    const before = sent()
    const answer = ask(fields)
    await expect.poll(() => sent()).toBe(before + 1)
    await expect.poll(() => on.fake.journal.at(-1)?.state).toBe('answered')
    await clock.pass(0)
    return { first: answer }
  }
  /** Answers of the provider that come when the result is called. */
  const hold = () => {
    const held = Promise.withResolvers<void>()
    on.fake.replyByDefault({ beforeAnyByte: () => held.promise })
    return held.resolve
  }

  it('What a provider refuses one call with holds for all calls of its address and key: they wait, one asks first, then the others follow (D30).', async () => {
    await meet({ retryAfter: '5' })
    const others = askOften(20)
    const answer = hold()
    await clock.pass(4_999)
    expect(sent()).toBe(1)
    await clock.pass(1)
    await expect.poll(sent).toBe(2)
    await clock.pass(1_999)
    expect(sent()).toBe(2)
    // Not refused for two seconds: it is let in.
    await clock.pass(1)
    for (const count of [3, 4, 5]) {
      await clock.pass(50)
      await expect.poll(sent).toBe(count)
    }
    answer()
    await expect.poll(sent).toBe(22)
    for (const { retries } of await Promise.all(others)) expect(retries).toBe(0)
    await ask()
  })

  it('are refused once a window of the provider, and none of them fails', async () => {
    let open = 0
    on.fake.replyByDefault(() => {
      open -= 1
      return open < 0 ? { status: 429, retryAfter: '2' } : {}
    })
    const [first] = [ask()]
    await expect.poll(sent).toBe(1)
    await expect.poll(() => on.fake.journal[0]?.state).toBe('answered')
    await clock.pass(0)
    const all = [first, ...askOften(20)]
    let windows = 0
    let left = all.length
    for (const each of all) void each?.then(() => (left -= 1))
    while (left > 0) {
      windows += 1
      open = 4
      await clock.pass(2_000)
      await expect.poll(() => open < 0 || left === 0).toBe(true)
      await expect.poll(() => on.fake.journal.every(({ state }) => state === 'answered')).toBe(true)
      await clock.pass(0)
    }
    await Promise.all(all)
    expect(sent()).toBe(all.length + windows)
  })

  it('A provider that asks for longer than a minute fails a run at once, and is asked again after ten minutes.', async () => {
    const { first } = await meet({ retryAfter: '3600' })
    await expect(first).rejects.toMatchObject(REFUSED)
    await expect(ask()).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringMatching(
        /^The quota or rate limit of Claude is used up.*asks callers to wait 3600 s/,
      ),
    })
    await clock.pass(10 * MINUTE - 1)
    await expect(ask()).rejects.toMatchObject({ message: expect.stringMatching(/3001 s/) })
    expect(sent()).toBe(1)
    await clock.pass(1)
    on.fake.reply({ status: 429, retryAfter: '3000' })
    const asking = ask()
    const behind = ask()
    await expect(asking).rejects.toMatchObject(REFUSED)
    await expect(behind).rejects.toMatchObject(REFUSED)
    expect(sent()).toBe(2)
    await clock.pass(10 * MINUTE)
    await ask()
    await ask()
    expect(sent()).toBe(4)
  })

  it('wait a minute in all, however often it refuses', async () => {
    on.fake.replyByDefault({ status: 429, retryAfter: '25' })
    const all = askOften(1)
    await expect.poll(sent).toBe(1)
    for (const count of [2, 3]) {
      await clock.pass(0)
      await clock.pass(25_000)
      await expect.poll(sent).toBe(count)
      await expect.poll(() => on.fake.journal.at(-1)?.state).toBe('answered')
    }
    await expect(all[0]).rejects.toMatchObject({
      message: expect.stringMatching(/asks callers to wait 25 s/),
    })
    expect(sent()).toBe(3)
  })

  it.each([
    {
      says: 'when its limits are whole again',
      refusal: { headers: { 'x-ratelimit-reset-tokens': '40s' } },
      ms: 30_000,
    },
    { says: 'that it is overloaded', refusal: { status: 529, retryAfter: '9' }, ms: 9_000 },
    { says: 'that it is not available', refusal: { status: 503, retryAfter: '9' }, ms: 9_000 },
  ])('wait for one that says $says', async ({ refusal, ms }) => {
    const { first } = await meet(refusal)
    const other = ask()
    await clock.pass(ms - 1)
    expect(sent()).toBe(1)
    await clock.pass(1)
    await Promise.all([first, other])
  })

  it.each([
    { says: 'that its account is used up', refusal: { errorType: 'insufficient_quota', retryAfter: '9' } },
    { says: 'that it has failed', refusal: { status: 500, retryAfter: '9' } },
    { says: 'not for how long', refusal: {} },
  ])('do not wait for one that says $says', async ({ refusal }) => {
    await meet(refusal)
    await ask()
    expect(sent()).toBe(2)
  })

  it('that may not wait fail at once, and those with little time as soon as they know', async () => {
    await meet({ retryAfter: '6' })
    await expect(ask({ waitMs: 0 })).rejects.toMatchObject(REFUSED)
    await expect(ask({ waitMs: 5_000 })).rejects.toMatchObject({
      message: expect.stringMatching(/asks callers to wait 6 s/),
    })
    const waiting = ask({ waitMs: 7_000 })
    const answer = hold()
    await clock.pass(6_000)
    await expect.poll(sent).toBe(2)
    await expect(ask({ waitMs: 0 })).rejects.toMatchObject({
      message: expect.stringMatching(/Other calls are already waiting for it/),
    })
    answer()
    await waiting
  })

  it('At most 200 calls wait for a provider, a minute each.', async () => {
    await meet({ retryAfter: '9' })
    const hers = askOften(199, { userId: 1 })
    const oneMore = ask({ userId: 1 })
    await expect(oneMore).rejects.toMatchObject(REFUSED)
    const his = ask({ userId: 2 })
    await expect(hers.at(-1)).rejects.toMatchObject(REFUSED)
    await clock.pass(9_000)
    await his
    await Promise.all(hers.slice(0, -1))
  })

  it('leave their place among the calls at once to others', async () => {
    await meet({ retryAfter: '9' })
    const other = await startModelsOnFake({ wire })
    const both = shareModels(
      {
        ...on.models,
        generate: (call) =>
          (call.alias === 'openai' ? other.models : on.models).generate({ ...call, alias: 'claude' }),
      },
      { modelCallsAtOnce: () => 1 },
    )
    const waiting = both.generate({ alias: 'claude', prompt: 'waits' })
    await both.generate({ alias: 'openai', prompt: 'goes on' })
    expect(other.fake.journal).toHaveLength(1)
    await clock.pass(9_000)
    await waiting
    await other.close()
  })

  it('tell why they wait and until when, and of the end', async () => {
    const told: (LimitWait | undefined)[] = []
    const onWait = (wait: LimitWait | undefined) => void told.push(wait)
    const { first } = await meet({ retryAfter: '5' }, { onWait })
    expect(told).toEqual([{ vendor: 'Anthropic', isOverload: false, until: expect.any(Date) }])
    await clock.pass(5_000)
    await first
    expect(told.slice(1)).toEqual([undefined])
    await ask({ onWait })
    expect(told).toHaveLength(2)
  })

  it('end at once when they are stopped, and when the program ends', async () => {
    await meet({ retryAfter: '9' })
    const caller = new AbortController()
    const stopped = ask({ signal: caller.signal })
    const others = askOften(3)
    await clock.pass(0)
    caller.abort()
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
    await on.models.close()
    for (const other of others) await expect(other).rejects.toMatchObject({ code: 'aborted' })
    expect(sent()).toBe(1)
  })

  it('are let go on where the one that asks is stopped', async () => {
    await meet({ retryAfter: '9' })
    const caller = new AbortController()
    const answer = hold()
    const [first, second] = [ask({ signal: caller.signal }), ask()]
    await clock.pass(9_000)
    await expect.poll(sent).toBe(2)
    caller.abort()
    answer()
    await first?.catch(() => undefined)
    await second
  })
})

it('asks with another key, or another provider, are no concern of it', async () => {
  const clock = createSteppedClock()
  const on = await startModelsOnFake({ wire: FAKE_WIRES[2], clock, hasCustom: true })
  on.fake.reply({ status: 429, retryAfter: '9' })
  const waiting = on.models.generate({ alias: 'openai', prompt: 'hi' })
  waiting.catch(() => undefined)
  await expect.poll(() => on.logged.length).toBeGreaterThan(0)
  const same = on.models.generate({ alias: 'custom', prompt: 'of the same address and key' })
  await clock.pass(8_999)
  expect(on.fake.journal).toHaveLength(1)
  await clock.pass(1)
  await Promise.all([waiting, same])
  await on.close()
})

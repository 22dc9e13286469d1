import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FakeReply } from '../../testing/fake-providers/fake-reply.ts'
import {
  CANARY_KEY,
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import { ModelError } from './model-error.ts'
import { DEFAULT_LIMITS, type ModelEvent } from './model-types.ts'
import { MAX_RETRIES, systemClock } from './retry.ts'

const CANARY_BODY = 'canary-body-51c2'
const ALL = 1 + MAX_RETRIES
const MIB = 1024 * 1024
const LIMITS = { textBytes: MIB / 4 }
const PAGE = '<!doctype html><title>Not this one</title>'

type Fault = FakeReply & { is: string; code: string; calls: number; says?: RegExp }

const answered: Fault[] = [
  { is: 'a refused key', status: 401, code: 'model_key', calls: 1, says: /API key.*401/ },
  { is: 'a forbidden key', status: 403, code: 'model_key', calls: 1, says: /API key/ },
  { is: 'a used-up rate', status: 429, code: 'model_quota', calls: ALL, says: /quota.*429/ },
  {
    is: 'a used-up account',
    status: 429,
    errorType: 'insufficient_quota',
    code: 'model_quota',
    calls: 1,
    says: /quota/,
  },
  { is: 'an inner failure', status: 500, code: 'model_unavailable', calls: ALL },
  { is: 'an overload', status: 529, code: 'model_unavailable', calls: ALL },
  { is: 'a time-out of theirs', status: 504, code: 'model_timeout', calls: ALL },
  { is: 'an unknown model', status: 404, code: 'model_rejected', calls: 1 },
  { is: 'a request that is too long', status: 400, code: 'model_rejected', calls: 1, says: /accept.*400/ },
  { is: 'a redirect', status: 307, code: 'model_rejected', calls: 1 },
  { is: 'a reset at once', fault: 'reset', code: 'model_unavailable', calls: ALL },
  { is: 'silence at once', fault: 'silence', code: 'model_timeout', calls: 1, says: /silent for 300 s/ },
  { is: 'nonsense', fault: 'malformed', code: 'model_malformed', calls: 1 },
  { is: 'a web page', raw: PAGE, code: 'model_malformed', calls: 1, says: /not a model's answer.*BASE_URL/ },
  { is: 'an empty answer', text: '', code: 'model_malformed', calls: 1, says: /empty/ },
  { is: 'only thoughts', text: '', finish: 'length', code: 'model_malformed', calls: 1, says: /token limit/ },
  { is: 'a refusal', text: '', finish: 'refusal', code: 'model_refused', calls: 1 },
  { is: 'an endless answer', fault: 'endless', code: 'model_too_long', calls: 1 },
  { is: 'an endless line', fault: 'endless-line', code: 'model_too_long', calls: 1 },
]

const streamedOnly: Fault[] = [
  { is: 'an error event at once', fault: 'error-event', code: 'model_unavailable', calls: ALL },
  { is: 'an end before any text', fault: 'cut', code: 'model_unavailable', calls: ALL },
  { is: 'no byte', fault: 'no-body', code: 'model_unavailable', calls: ALL },
  { is: 'a reset after texts', text: ['a', 'b'], fault: 'reset', code: 'model_unavailable', calls: 1 },
  { is: 'an end after texts', text: ['a', 'b'], fault: 'cut', code: 'model_unavailable', calls: 1 },
  {
    is: 'silence after texts',
    text: ['a', 'b'],
    fault: 'silence',
    code: 'model_timeout',
    calls: 1,
    says: /silent for 60 s/,
  },
  { is: 'nonsense after texts', text: ['a', 'b'], fault: 'malformed', code: 'model_malformed', calls: 1 },
  {
    is: 'an error event after texts',
    text: ['a', 'b'],
    fault: 'error-event',
    code: 'model_unavailable',
    calls: 1,
  },
]

const wholeOnly: Fault[] = [
  { is: 'a reset in the middle', text: 'half', fault: 'reset', code: 'model_unavailable', calls: ALL },
  { is: 'silence in the middle', text: 'half', fault: 'silence', code: 'model_timeout', calls: 1 },
  { is: 'an end in the middle', text: 'half', fault: 'cut', code: 'model_malformed', calls: 1 },
  { is: 'no byte', fault: 'no-body', code: 'model_malformed', calls: 1 },
]

describe.each(FAKE_WIRES)('over the $name wire', (wire) => {
  const { alias } = wire
  let on: ModelsOnFake
  beforeEach(async () => {
    on = await startModelsOnFake({ wire, limits: LIMITS })
  })
  afterEach(() => on.close())

  async function failure({ fault, streamed }: { fault: Fault; streamed: boolean }) {
    const { is: _, code: __, calls: ___, says: ____, ...reply } = fault
    const texts: string[] = []
    on.fake.replyByDefault({
      message: `${CANARY_KEY} ${CANARY_BODY.repeat(100)}`,
      before: async (index) => {
        if (streamed) await untilHas({ texts, count: index })
      },
      onSilence: async () => {
        if (streamed) await untilHas({ texts, count: fault.text?.length ?? 0 })
        const hasBegun = streamed && fault.text !== undefined
        on.passTime(hasBegun ? DEFAULT_LIMITS.silenceMs : DEFAULT_LIMITS.firstByteMs)
      },
      ...reply,
    })
    try {
      if (!streamed) await on.models.generate({ alias, prompt: 'hi' })
      else {
        for await (const event of on.models.stream({ alias, prompt: 'hi' })) texts.push(event.text)
      }
    } catch (error) {
      return { error, texts }
    }
    throw new Error('the call answered')
  }

  function check({ fault, error }: { fault: Fault; error: unknown }) {
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ code: fault.code, alias })
    if (fault.says) expect(String(error)).toMatch(fault.says)
    const other = fault.code === 'model_quota' ? /API key|401/ : /quota|429/
    if (fault.code !== 'model_rejected') expect(String(error)).not.toMatch(other)
    expect(on.fake.journal).toHaveLength(fault.calls)
    expect(on.waits).toHaveLength(fault.calls - 1)
    const written = JSON.stringify([String(error), Object.entries(error as object), on.logged])
    expect(written).not.toContain(CANARY_KEY)
    expect(written.split(CANARY_BODY).length).toBeLessThan(30)
    if (fault.code !== 'model_rejected') expect(written).not.toContain(CANARY_BODY)
  }

  it.each([...answered, ...streamedOnly])(
    'a stream that meets $is fails with $code after $calls calls',
    async (fault) => {
      const { error, texts } = await failure({ fault, streamed: true })
      check({ fault, error })
      if (Array.isArray(fault.text)) expect(texts).toEqual(fault.text)
      else if (fault.fault !== 'endless') expect(texts).toEqual([])
    },
  )

  it.each([...answered, ...wholeOnly])(
    'an answer that meets $is fails with $code after $calls calls',
    async (fault) => {
      const { error } = await failure({ fault, streamed: false })
      check({ fault, error })
    },
  )

  it.each([true, false])('answers after three failures (streamed: %s)', async (streamed) => {
    on.fake.reply({ status: 500 }, { fault: 'reset' }, { status: 429 }, { text: 'at last' })
    if (!streamed) {
      expect(await on.models.generate({ alias, prompt: 'hi' })).toMatchObject({ text: 'at last', retries: 3 })
      return
    }
    const events = []
    for await (const event of on.models.stream({ alias, prompt: 'hi' })) events.push(event)
    expect(events).toMatchObject([
      { type: 'delta', text: 'at last' },
      { type: 'done', text: 'at last', retries: 3 },
    ])
  })

  it('lets a slow drip through that is never silent for too long', async () => {
    const events: ModelEvent[] = []
    const drip = dripping({ events, everyMs: DEFAULT_LIMITS.silenceMs - 1 })
    on.fake.reply({ text: [...'drip'], ...drip })
    for await (const event of on.models.stream({ alias, prompt: 'hi' })) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'drip', retries: 0 })
  })

  it('does not take a slow caller for silence, and notices silence after that', async () => {
    const texts: string[] = []
    on.fake.reply({
      text: ['a', 'b'],
      before: (index) => untilHas({ texts, count: index }),
      fault: 'silence',
      onSilence: async () => {
        await untilHas({ texts, count: 2 })
        on.passTime(DEFAULT_LIMITS.silenceMs)
      },
    })
    const reading = async () => {
      for await (const event of on.models.stream({ alias, prompt: 'hi' })) {
        on.passTime(DEFAULT_LIMITS.silenceMs * 3)
        texts.push(event.text)
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'model_timeout' })
    expect(texts).toEqual(['a', 'b'])
  })

  it.each([true, false])('waits minutes for the first byte of an answer (streamed: %s)', async (streamed) => {
    on.fake.reply({ text: 'late', beforeAnyByte: async () => on.passTime(DEFAULT_LIMITS.firstByteMs - 1) })
    const call = { alias, prompt: 'hi' }
    const answer = streamed
      ? (await Array.fromAsync(on.models.stream(call))).at(-1)
      : await on.models.generate(call)
    expect(answer).toMatchObject({ text: 'late', retries: 0 })
    expect(on.fake.journal).toHaveLength(1)
  })

  it('ends a drip that would go on for hours', async () => {
    const events: ModelEvent[] = []
    const drip = dripping({ events, everyMs: DEFAULT_LIMITS.silenceMs - 1 })
    on.fake.reply({ text: Array.from({ length: 1000 }, () => '.'), ...drip })
    const reading = async () => {
      for await (const event of on.models.stream({ alias, prompt: 'hi' })) events.push(event)
    }
    await expect(reading()).rejects.toThrow(/longer than 600 s/)
    await vi.waitFor(() => expect(on.fake.journal[0]?.state).toBe('closed-by-client'))
  })

  /** Each piece comes so long after the caller has the one before. */
  function dripping({ events, everyMs }: { events: ModelEvent[]; everyMs: number }) {
    return {
      before: async (index: number) => {
        await untilHas({ texts: events, count: index })
        on.passTime(everyMs)
      },
    }
  }

  it.each(['endless', 'endless-line'] as const)(
    'holds little of an %s answer and hangs up on it',
    async (fault) => {
      const { error } = await failure({ fault: { is: '', fault, code: '', calls: 1 }, streamed: true })
      expect(error).toMatchObject({ code: 'model_too_long' })
      await vi.waitFor(() => expect(on.fake.journal[0]?.state).toBe('closed-by-client'))
      expect(on.fake.journal[0]?.bytesSent).toBeLessThan(16 * MIB)
    },
  )

  it('reads no faster than its caller', async () => {
    on.fake.reply({ text: ['a'], fault: 'endless' })
    for await (const _ of on.models.stream({ alias, prompt: 'hi' })) {
      let seen = -1
      await vi.waitFor(() => {
        const before = seen
        seen = on.fake.journal[0]?.bytesSent ?? 0
        expect(seen).toBe(before)
      })
      break
    }
  })
})

it('counts the silence on the real clock too', async () => {
  const [wire] = FAKE_WIRES
  const clock = { ...systemClock, sleep: async () => undefined }
  const on = await startModelsOnFake({ wire, clock, limits: { firstByteMs: 1 } })
  on.fake.replyByDefault({ fault: 'silence' })
  const answer = Array.fromAsync(on.models.stream({ alias: wire.alias, prompt: 'hi' }))
  await expect(answer).rejects.toMatchObject({ code: 'model_timeout' })
  await on.close()
})

/** What comes together goes on together: a test that counts pieces lets each be read before the next. */
async function untilHas({ texts, count }: { texts: readonly unknown[]; count: number }): Promise<void> {
  await vi.waitFor(() => expect(texts).toHaveLength(count), { interval: 1 })
}

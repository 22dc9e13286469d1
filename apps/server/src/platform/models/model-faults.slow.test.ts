import { MODELS } from '@catenary/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FakeReply } from '../../testing/fake-providers/fake-reply.ts'
import {
  CANARY_BODY,
  type Fault,
  SAID_BY_PROVIDER,
  STREAM_FAULTS,
  sentenceOf,
  WHOLE_FAULTS,
} from '../../testing/fake-providers/faults.ts'
import {
  CANARY_KEY,
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import { ModelError } from './model-error.ts'
import type { ModelCall, ModelEvent, ModelPart } from './model-types.ts'
import { systemClock } from './retry.ts'

const MIB = 1024 * 1024
const LIMITS = { textBytes: MIB / 4 }
/** The limits that stand unless others are set. */
const FIRST_BYTE_MS = 300_000
const SILENCE_MS = 60_000

const IMAGE: ModelPart[] = [
  { type: 'text', text: 'What is this?' },
  { type: 'image', mediaType: 'image/png', fileName: 'a.png', data: 'iVBORw0KGgo=' },
]
/** Models that see images. */
const MODEL_IDS = { anthropic: 'claude-sonnet-5-5', openai: 'gpt-4o', gemini: 'gemini-4-hydrogen' }
/** What is asked for: a fault is the same whatever that is. */
const ASKED: { what: string; said: Partial<ModelCall> }[] = [
  { what: 'a text', said: {} },
  { what: 'what is on an image', said: { prompt: undefined, messages: [{ role: 'user', content: IMAGE }] } },
  { what: 'JSON', said: { schema: { name: 'verdict', schema: { type: 'object', properties: {} } } } },
]
const CELLS = FAKE_WIRES.flatMap((wire) => ASKED.map((asked) => ({ wire, ...asked })))

describe.each(CELLS)('over the $wire.name wire, asked for $what,', ({ wire, said }) => {
  const { alias } = wire
  const call = { alias, prompt: 'hi', ...said } as ModelCall
  let on: ModelsOnFake
  beforeEach(async () => {
    on = await startModelsOnFake({ wire, modelId: MODEL_IDS[wire.vendor], limits: LIMITS })
  })
  afterEach(() => on.close())

  async function failure({ reply, streamed }: { reply: FakeReply; streamed: boolean }) {
    const texts: string[] = []
    on.fake.replyByDefault({
      message: SAID_BY_PROVIDER,
      before: async (index) => {
        if (streamed) await untilHas({ texts, count: index })
      },
      onSilence: async () => {
        if (streamed) await untilHas({ texts, count: reply.text?.length ?? 0 })
        const hasBegun = streamed && reply.text !== undefined
        on.passTime(hasBegun ? SILENCE_MS : FIRST_BYTE_MS)
      },
      whole: !streamed,
      ...reply,
    })
    try {
      if (!streamed) await on.models.generate(call)
      else for await (const event of on.models.stream(call)) texts.push(event.text)
    } catch (error) {
      return { error, texts }
    }
    throw new Error('the call answered')
  }

  function check({ fault, error }: { fault: Fault; error: unknown }) {
    expect(error).toBeInstanceOf(ModelError)
    const { label, settings } = MODELS[alias]
    const message = sentenceOf(fault, { ...wire, label, key: settings.apiKey, address: settings.baseUrl })
    expect(error).toMatchObject({ code: fault.code, alias, message })
    expect(on.fake.journal).toHaveLength(fault.calls)
    expect(on.waits).toHaveLength(fault.calls - 1)
    const written = JSON.stringify([String(error), Object.entries(error as object), on.logged])
    expect(written).not.toContain(CANARY_KEY)
    // The sentence stands in the message, in the error's text and beside it, and is short in each.
    expect(written.split(CANARY_BODY).length).toBeLessThan(60)
  }

  it.each(STREAM_FAULTS)(
    'A model that got the request and stays silent beyond its limits is not asked again. ($is, $code, $calls)',
    async (fault) => {
      const { reply } = fault
      const { error, texts } = await failure({ reply, streamed: true })
      check({ fault, error })
      if (reply.fault !== 'endless') expect(texts).toEqual(reply.text || [])
    },
  )

  it.each(WHOLE_FAULTS)('an answer that meets $is fails with $code after $calls calls', async (fault) => {
    const { error } = await failure({ reply: fault.reply, streamed: false })
    check({ fault, error })
  })

  it.each([true, false])('answers after three failures (streamed: %s)', async (streamed) => {
    on.fake.reply({ status: 500 }, { fault: 'reset' }, { status: 429 }, { text: 'at last' })
    if (!streamed) {
      expect(await on.models.generate(call)).toMatchObject({ text: 'at last', retries: 3 })
      return
    }
    const events = []
    for await (const event of on.models.stream(call)) events.push(event)
    expect(events).toMatchObject([
      { type: 'delta', text: 'at last' },
      { type: 'done', text: 'at last', retries: 3 },
    ])
  })

  it('lets a slow drip through that is never silent for too long', async () => {
    const events: ModelEvent[] = []
    const drip = dripping({ events, everyMs: SILENCE_MS - 1 })
    on.fake.reply({ text: [...'drip'], ...drip })
    for await (const event of on.models.stream(call)) events.push(event)
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
        on.passTime(SILENCE_MS)
      },
    })
    const reading = async () => {
      for await (const event of on.models.stream(call)) {
        on.passTime(SILENCE_MS * 3)
        texts.push(event.text)
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'model_timeout' })
    expect(texts).toEqual(['a', 'b'])
  })

  it.each([true, false])('waits minutes for the first byte of an answer (streamed: %s)', async (streamed) => {
    on.fake.reply({ text: 'late', beforeAnyByte: async () => on.passTime(FIRST_BYTE_MS - 1) })
    const answer = streamed
      ? (await Array.fromAsync(on.models.stream(call))).at(-1)
      : await on.models.generate(call)
    expect(answer).toMatchObject({ text: 'late', retries: 0 })
    expect(on.fake.journal).toHaveLength(1)
  })

  it('ends a drip that would go on for hours', async () => {
    const events: ModelEvent[] = []
    const drip = dripping({ events, everyMs: SILENCE_MS - 1 })
    on.fake.reply({ text: Array.from({ length: 1000 }, () => '.'), ...drip })
    const reading = async () => {
      for await (const event of on.models.stream(call)) events.push(event)
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
      const { error } = await failure({ reply: { fault }, streamed: true })
      expect(error).toMatchObject({ code: 'model_too_long' })
      await vi.waitFor(() => expect(on.fake.journal[0]?.state).toBe('closed-by-client'))
      expect(on.fake.journal[0]?.bytesSent).toBeLessThan(16 * MIB)
    },
  )

  it('reads no faster than its caller', async () => {
    on.fake.reply({ text: ['a'], fault: 'endless' })
    for await (const _ of on.models.stream(call)) {
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

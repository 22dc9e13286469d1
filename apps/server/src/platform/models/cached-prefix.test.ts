import { afterEach, describe, expect, it } from 'vitest'
import {
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'
import { events } from '../../testing/fake-providers/wire-case.ts'
import type { ModelCall, ModelResult } from './model-types.ts'

const [ANTHROPIC, RESPONSES, CHAT, GEMINI] = FAKE_WIRES
type Wire = (typeof FAKE_WIRES)[number]

let on: ModelsOnFake | undefined
afterEach(() => on?.close())

const FIXED = `Answer by these rules: ${'be exact. '.repeat(600)}`
const RULES = 'Each rule holds. '.repeat(400)
const alike = { fixedLength: FIXED.length, cacheKey: 'prompt-7-v3' }
const PRICES = {
  'fake-model': { inputPerMillionUsd: 10, outputPerMillionUsd: 50, cachedInputPerMillionUsd: 1 },
}

async function start({ wire, modelId = 'fake-model' }: { wire: Wire; modelId?: string }) {
  on = await startModelsOnFake({ wire, modelId, prices: PRICES })
  return on
}

/** What goes out for a call. */
async function sent({ wire, modelId, ...call }: { wire: Wire; modelId?: string } & Partial<ModelCall>) {
  const { models, fake, close } = await start({ wire, ...(modelId !== undefined && { modelId }) })
  await models.generate({ alias: wire.alias, prompt: 'hi', ...call } as ModelCall)
  await close()
  return fake.journal[0]?.body ?? {}
}

interface Block {
  text: string
}
const turns = ({ messages, input }: Record<string, unknown>) =>
  (messages ?? input) as { role: string; content: string | Block[] }[]
const joined = (content: string | Block[] | undefined) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('')

describe('what calls begin with alike', () => {
  it('What stands before the first variable, and the system prompt, is marked for caching at Anthropic and OpenAI from 1,024 tokens on. The text stays as it is, character for character.', async () => {
    const prompt = `${FIXED}the case at hand`
    const body = await sent({ wire: ANTHROPIC, prompt, system: 'Be brief.', ...alike })
    expect(body.system).toBe('Be brief.')
    expect(turns(body)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: FIXED, cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'the case at hand' },
        ],
      },
    ])
    expect(body).not.toHaveProperty('prompt_cache_key')
  })

  it('ends with the system prompt where the text begins with a variable', async () => {
    const body = await sent({ wire: ANTHROPIC, prompt: 'Ada, hello', system: RULES, fixedLength: 0 })
    expect(body.system).toEqual([{ type: 'text', text: RULES, cache_control: { type: 'ephemeral' } }])
    expect(turns(body)).toEqual([{ role: 'user', content: 'Ada, hello' }])
  })

  it('takes in what follows it where that is nothing but space, which is refused as a block', async () => {
    const [turn] = turns(await sent({ wire: ANTHROPIC, prompt: `${FIXED} \n`, ...alike }))
    expect(turn?.content).toEqual([
      { type: 'text', text: `${FIXED} \n`, cache_control: { type: 'ephemeral' } },
    ])
  })

  it.each([
    { case: 'too short', fixedLength: 3_800, prompt: FIXED },
    { case: 'not known', prompt: FIXED },
    { case: 'nothing', fixedLength: 0, prompt: FIXED },
  ])('leaves a request as it was where it is $case', async ({ fixedLength, prompt }) => {
    const known = fixedLength === undefined ? {} : { fixedLength }
    expect(await sent({ wire: ANTHROPIC, prompt, ...known })).toEqual(await sent({ wire: ANTHROPIC, prompt }))
    expect(turns(await sent({ wire: ANTHROPIC, prompt, ...known }))[0]?.content).toBe(prompt)
  })

  it('OpenAI gets the prompt’s id and version as the key of its cache, never a text or a value. Compatible servers get neither key nor mark.', async () => {
    const prompt = `${FIXED}the case`
    for (const stop of [undefined, ['END']]) {
      const more = stop && { stop }
      const body = await sent({ wire: RESPONSES, modelId: 'gpt-5.5', prompt, ...alike, ...more })
      expect(body.prompt_cache_key).toBe('prompt-7-v3')
      expect(turns(body)).toEqual([{ role: 'user', content: prompt }])
    }
  })

  it.each([
    { modelId: 'gpt-5.6-sol', stop: undefined, type: 'input_text' },
    { modelId: 'gpt-6.1-sol', stop: undefined, type: 'input_text' },
    { modelId: 'gpt-6.1-sol', stop: ['END'], type: 'text' },
  ])('is marked for $modelId of OpenAI, which caches up to a mark (stop: $stop)', async (one) => {
    const { modelId, stop, type } = one
    const prompt = `${FIXED}the case`
    const body = await sent({ wire: RESPONSES, modelId, prompt, ...alike, ...(stop && { stop }) })
    const [turn] = turns(body)
    expect(turn?.content).toEqual([
      { type, text: FIXED, prompt_cache_breakpoint: { mode: 'explicit' } },
      { type, text: 'the case' },
    ])
    expect(joined(turn?.content)).toBe(prompt)
    expect(body.prompt_cache_options).toEqual({ mode: 'explicit' })
  })

  it('leaves the end of a conversation to OpenAI’s own mark, for its next turn', async () => {
    const messages = [
      { role: 'user', content: `${FIXED}the case` },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Why?' },
    ] as const
    const body = await sent({
      ...{ wire: RESPONSES, modelId: 'gpt-6.1-sol', system: 'Be brief.' },
      ...{ prompt: undefined, messages, ...alike },
    })
    const [system, first, ...later] = turns(body)
    expect(system).toEqual({ role: 'developer', content: 'Be brief.' })
    expect(first?.content).toHaveLength(2)
    expect(later).toEqual(messages.slice(1))
    expect(body).not.toHaveProperty('prompt_cache_options')
  })

  it.each([CHAT, GEMINI])('changes no request over the $name wire, which others speak too', async (wire) => {
    const prompt = `${FIXED}the case`
    for (const modelId of ['fake-model', 'gpt-6.1-sol']) {
      expect(await sent({ wire, modelId, prompt, ...alike })).toEqual(await sent({ wire, modelId, prompt }))
    }
  })
})

describe('what is read from a cache', () => {
  const ask = async (wire: Wire, streamed: boolean, said: string): Promise<ModelResult> => {
    const call = { alias: wire.alias, prompt: FIXED + said, ...alike }
    if (!on) throw new Error('no models')
    if (!streamed) return on.models.generate(call)
    return (await Array.fromAsync(on.models.stream(call))).at(-1) as ModelResult & { type: 'done' }
  }
  const cases = FAKE_WIRES.flatMap((wire) => [false, true].map((streamed) => ({ wire, streamed })))

  it.each(cases)('is counted and priced over the $wire.name wire (streamed: $streamed)', async (one) => {
    const { wire, streamed } = one
    await start({ wire })
    const first = await ask(wire, streamed, 'one case')
    const second = await ask(wire, streamed, 'another')
    expect(first.cachedTokens).toBe(0)
    const { inputTokens, cachedTokens, costNanos, savedNanos } = second
    if (inputTokens === null || cachedTokens === null) throw new Error('nothing was counted')
    expect(cachedTokens).toBeGreaterThan(1_024)
    expect(inputTokens).toBeGreaterThan(cachedTokens)
    expect(savedNanos).toBe(cachedTokens * 9_000)
    expect(costNanos).toBe((inputTokens - cachedTokens) * 10_000 + cachedTokens * 1_000 + 7 * 50_000)
  })

  it('is what stands before the mark with the newer models of OpenAI, whose writes cost too', async () => {
    const price = PRICES['fake-model']
    on = await startModelsOnFake({
      wire: RESPONSES,
      modelId: 'gpt-6.1-sol',
      prices: { 'gpt-6.1-sol': price },
    })
    const [first, second] = [await ask(RESPONSES, false, 'one'), await ask(RESPONSES, true, 'another')]
    const fixed = Math.ceil(FIXED.length / 3.8)
    expect([first.cachedTokens, first.savedNanos]).toEqual([0, -fixed * 2_500])
    expect([second.cachedTokens, second.savedNanos]).toEqual([fixed, fixed * 9_000])
  })

  it('stays counted where the end of Anthropic’s stream counts only the rest again', async () => {
    const { fake } = await start({ wire: ANTHROPIC })
    const begun = { model: 'fake-model', content: [], stop_reason: null }
    fake.reply(
      events(
        {
          type: 'message_start',
          message: {
            ...begun,
            usage: { input_tokens: 10, cache_read_input_tokens: 2_000, output_tokens: 1 },
          },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn' },
          usage: { input_tokens: 10, output_tokens: 3 },
        },
        { type: 'message_stop' },
      ),
    )
    expect(await ask(ANTHROPIC, true, 'one case')).toMatchObject({ inputTokens: 2_010, cachedTokens: 2_000 })
  })

  it('costs a quarter more when Anthropic writes it down', async () => {
    await start({ wire: ANTHROPIC })
    const { inputTokens, costNanos, savedNanos } = await ask(ANTHROPIC, false, 'one case')
    const written = Math.ceil(FIXED.length / 3.8)
    expect(savedNanos).toBe(-written * 2_500)
    expect(costNanos).toBe((inputTokens ?? 0) * 10_000 + written * 2_500 + 7 * 50_000)
  })
})

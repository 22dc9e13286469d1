import { type ExecutePromptReply, MODELS, type PromptRun } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import type { FakeReply } from '../../testing/fake-providers/fake-reply.ts'
import { SAID_BY_PROVIDER, STREAM_FAULTS, sentenceOf } from '../../testing/fake-providers/faults.ts'
import { CANARY_KEY, FAKE_WIRES } from '../../testing/fake-providers/start-models-on-fake.ts'

const schema = {
  type: 'object',
  properties: { refund: { type: 'number' } },
  required: ['refund'],
  additionalProperties: false,
}
const GOOD = '{"refund": 49.9}'
const BAD = '{"refund": "49,90 €"}'
const WHY = 'refund is “49,90 €”, not a number'
const usage = { inputTokens: 10, outputTokens: 5 }
/** Models that take a schema. */
const MODEL_IDS = { anthropic: 'claude-sonnet-5-5', openai: 'gpt-4o', gemini: 'gemini-4-hydrogen' }

const MET = [
  ...['a refused key', 'a used-up rate', 'a used-up account', 'an inner failure', 'a reset at once'],
  ...['nonsense', 'an empty answer', 'a refusal', 'a reset after texts', 'an end after texts'],
]
const FAULTS = STREAM_FAULTS.filter(({ is }) => MET.includes(is))
/** Answers that are whole, and as wrong as the first. */
const WRONG: { is: string; reply: FakeReply; why: string }[] = [
  { is: 'the wrong schema again', reply: { text: '{"refund": true}' }, why: 'refund is true, not a number' },
  {
    is: 'JSON that is cut off',
    reply: { text: '{"refund": 49', finish: 'length' },
    why: 'The answer was cut off at the model’s token limit',
  },
]

describe.each(FAKE_WIRES)('over the $name wire, after an answer of the wrong schema,', (wire) => {
  const { alias } = wire
  let library: ChainLibrary
  let promptId: number
  beforeAll(async () => {
    library = await startChainLibrary('embedded', { wire, modelId: MODEL_IDS[wire.vendor] })
    const output = { type: 'json', schema }
    promptId = (await library.createPrompt(library.owner, { content: 'Sort this.', output })).id
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  async function run(...replies: FakeReply[]) {
    library.fake.reply({ text: BAD, ...usage }, ...replies)
    const { owner: as } = library
    const body = { promptId, model: alias }
    const reply = await library.request({ method: 'POST', url: '/api/execute-prompt', body, as })
    const url = `/api/prompts/${promptId}/executions`
    const [kept] = (await library.request({ url, as })).body as PromptRun[]
    return { reply, kept, calls: library.fake.journal.length }
  }

  test('the table has every fault that it names', () => {
    expect(FAULTS.map(({ is }) => is).toSorted()).toEqual(MET.toSorted())
  })

  test.each(FAULTS)(
    'a repair that meets $is fails after $calls calls; the first answer stays, with both reasons',
    async (fault) => {
      const { label, settings } = MODELS[alias]
      const sentence = sentenceOf(fault, { ...wire, label, key: settings.apiKey, address: settings.baseUrl })
      const failure = { message: SAID_BY_PROVIDER, ...fault.reply }
      const { reply, kept, calls } = await run(...Array.from({ length: fault.calls }, () => failure))
      const error = `The answer does not match the schema of its output: ${WHY}. It could not be repaired: ${sentence}`
      expect(reply.status).toBe(502)
      expect(reply.body).toMatchObject({ error, details: 'answer_invalid' })
      const structured = { isValid: false, isRepaired: false, errors: [{ path: 'refund', message: WHY }] }
      expect(kept).toMatchObject({ status: 'failed', error, aiResponse: BAD, structured })
      expect(kept?.inputTokens).toBeGreaterThanOrEqual(usage.inputTokens)
      expect(calls).toBe(1 + fault.calls)
      expect(reply.text).not.toContain(CANARY_KEY)
    },
  )

  test.each(WRONG)(
    'a repair that is $is fails without a third call; both count',
    async ({ reply: second, why }) => {
      const { reply, kept, calls } = await run({ ...second, ...usage })
      const error = `The answer does not match the schema of its output: ${why}.`
      expect(reply.body).toMatchObject({ error, details: 'answer_invalid' })
      expect(kept).toMatchObject({
        status: 'failed',
        aiResponse: second.text,
        inputTokens: 20,
        outputTokens: 10,
      })
      expect(kept?.structured).toMatchObject({ isValid: false, isRepaired: true })
      expect(calls).toBe(2)
    },
  )

  test('a repair that passing failures hold up is answered all the same', async () => {
    const held: FakeReply[] = [{ status: 500 }, { fault: 'reset' }, { status: 429 }]
    const { reply, calls } = await run(...held, { text: GOOD, ...usage })
    expect(reply.status, reply.text).toBe(200)
    const { result, structured } = reply.body as ExecutePromptReply
    expect(result).toBe(GOOD)
    expect(structured).toMatchObject({ isValid: true, isRepaired: true })
    expect(calls).toBe(5)
  })
})

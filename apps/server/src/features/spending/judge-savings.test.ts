import type { CreatedBestToken, UsageReport } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, on, startEvaluationLab } from '../../testing/evaluations.ts'
import type { TestUser } from '../../testing/harness.ts'

const price = { inputPerMillionUsd: 1, outputPerMillionUsd: 10, cachedInputPerMillionUsd: 0.1 }
const cached = { inputTokens: 2_000, cachedTokens: 1_000 }
const SAVED_USD = (1_000 * 0.9) / 1_000_000

describe.each(routeDatabaseKinds)('usage sums what judges saved by a cache, on %s', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind, { prices: { 'fake-model': price } })
  })
  afterAll(() => lab.close())
  beforeEach(() => lab.fake.reset())

  const savedToday = async (as: TestUser) => {
    const { days } = await lab.send<UsageReport>('GET', '/api/usage', { as })
    return days.at(-1)?.savedUsd
  }

  test('What the judges of an evaluation saved by a cache is in the sum, each once, for who started it.', async () => {
    const as = await lab.registerUser()
    const prompt = await lab.makePrompt(2, { as })
    const assertions = [
      { type: 'llm-rubric', value: 'is polite' },
      { type: 'select-best', value: 'the shorter one' },
    ]
    const cases = [{ name: 'Polite', values: { word: 'a' }, assertions }]
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, cases, as)
    lab.fake.replyByDefault(({ body }) => {
      const sent = JSON.stringify(body)
      if (sent.includes('is polite'))
        return { text: '{"pass": true, "score": 1, "reason": "Yes"}', ...cached }
      return sent.includes('the shorter one') ? { text: '1', ...cached } : { text: 'HEY' }
    })
    const wanted = { suiteId: suite.id, targets: [on(1), on(2)], judgeModel: 'openai' as const }
    await lab.settled((await lab.evaluate(wanted, as)).id, as)
    expect(await savedToday(as)).toBeCloseTo(3 * SAVED_USD, 9)
  })

  test('What the judge of Best Chain saved by a cache is in the sum, for the token’s creator.', async () => {
    const as = await lab.registerUser()
    const chains = [await lab.buildChain(['x'], { as }), await lab.buildChain(['y'], { as })]
    const { token } = await lab.send<CreatedBestToken>('POST', '/api/best-tokens', {
      body: { name: 'x' },
      as,
    })
    lab.fake.reply({
      text: JSON.stringify({ chain_id: chains[0]?.id, confidence: 1, reasoning: '' }),
      ...cached,
    })
    const reply = await lab.request({
      method: 'POST',
      url: '/v1/route',
      headers: { authorization: `Bearer ${token}` },
      body: { messages: [{ role: 'user', content: 'Hi' }] },
    })
    expect(reply.status, reply.text).toBe(200)
    expect(await savedToday(as)).toBeCloseTo(SAVED_USD, 9)
  })
})

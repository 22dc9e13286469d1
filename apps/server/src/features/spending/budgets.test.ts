import type { Quotas, UsageReport } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { usageCalls } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Gateway, startGateway } from '../../testing/gateway.ts'
import type { TestUser } from '../../testing/harness.ts'

const JUDGE_CALLS = 'judge'
const UNLIMITED = 1_000_000_000_000

/** A call of the fake costs 1.1 US cents. */
const prices = { 'fake-model': { inputPerMillionUsd: 1_000, outputPerMillionUsd: 0 } }

describe.each(routeDatabaseKinds)('budgets on %s', (kind) => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(kind, { prices }, { modelCallsAtOnce: 2 })
  })
  afterAll(() => gateway.close())
  afterEach(() => gateway.fake.reset())

  const setMoney = async (person: TestUser, money: number | null) => {
    const url = `/api/admin/users/${person.user.id}/quotas`
    const reply = await gateway.request({ method: 'PATCH', url, body: { money }, as: gateway.admin })
    expect(reply.status, reply.text).toBe(200)
    return (reply.body as { quota: keyof Quotas; used: number; bound: number }[]).find(
      ({ quota }) => quota === 'money',
    )
  }
  const newPerson = async (money: number | null = null) => {
    const person = await gateway.registerUser()
    const prompt = await gateway.createPrompt(person, { content: 'Hello' })
    if (money !== null) await setMoney(person, money)
    const run = () =>
      gateway.request({
        method: 'POST',
        url: '/api/execute-prompt',
        body: { promptId: prompt.id, model: 'openai' },
        as: person,
      })
    return { person, prompt, run }
  }
  const budgetOf = async (as: TestUser) => {
    const { budget } = (await gateway.request({ url: '/api/usage', as })).body as UsageReport
    expect((await gateway.request({ url: '/api/usage/budget', as })).body).toEqual({ budget })
    return budget
  }

  test('A person has a monthly budget, in months of UTC. At 80 % a warning shows; over it runs are refused before the call.', async () => {
    const { person, run } = await newPerson()
    expect(await budgetOf(person)).toBeNull()
    expect((await setMoney(person, 2))?.bound).toBe(2)
    expect((await run()).status).toBe(200)
    expect(await budgetOf(person)).toEqual({ budgetUsd: 0.02, spentUsd: 0.011, isNear: false })
    expect((await run()).status).toBe(200)
    expect((await budgetOf(person))?.isNear).toBe(true)
    const calls = gateway.fake.journal.length
    const refused = await run()
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        error:
          'Your budget of $0.020 a month is used up. The next month begins on the 1st at 00:00 UTC; ' +
          'an administrator can raise it sooner.',
        details: 'budget_spent',
      },
    ])
    expect(gateway.fake.journal).toHaveLength(calls)
    expect((await setMoney(person, UNLIMITED))?.used).toBe(3)
    expect((await run()).status).toBe(200)
  })

  test('spending in an earlier month leaves this month’s budget untouched', async () => {
    const { person, run } = await newPerson(1)
    await gateway.db.insert(usageCalls).values({
      ...{ at: new Date(Date.now() - 32 * 86_400_000), userId: person.user.id, model: 'fake-model' },
      costNanos: 5_000_000_000,
    })
    expect((await run()).status).toBe(200)
    expect((await run()).status).toBe(429)
  })

  test('Parallel runs take a budget beyond its limit by the calls already sent, and no more.', async () => {
    const { run } = await newPerson(2)
    gateway.fake.reply({ text: 'slow', delayMs: 100 })
    const replies = await Promise.all(Array.from({ length: 12 }, run))
    const passed = replies.filter(({ status }) => status === 200).length
    expect(replies.every(({ status }) => status === 200 || status === 429)).toBe(true)
    // Two spend it; where they are called at once, another may be under way beside the second.
    expect(passed).toBeGreaterThanOrEqual(2)
    expect(passed).toBeLessThanOrEqual(3)
  })

  test('A run over budget stops before its next step and can be resumed.', async () => {
    const { person } = await newPerson(1)
    const chain = await gateway.buildChain(['One', 'Two {{a}}'], { as: person })
    const id = await gateway.execute(chain.id, undefined, person)
    await gateway.ended(id, person)
    expect(await gateway.find(id, person)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Your budget of \$0\.010 a month is used up\./),
    })
    await setMoney(person, 10)
    const calls = gateway.fake.journal.length
    const resume = { method: 'POST' as const, url: `/api/executions/${id}/resume`, as: person }
    expect((await gateway.request(resume)).status).toBeLessThan(300)
    await gateway.ended(id, person)
    expect((await gateway.find(id, person)).status).toBe('completed')
    expect(gateway.fake.journal).toHaveLength(calls + 1)
  })

  test('Tokens spend their creator’s budget. `/v1` answers 429 `insufficient_quota`, which is not retried.', async () => {
    const { person } = await newPerson(1)
    const chain = await gateway.buildChain(['{{input}}'], { as: person })
    const { token } = await gateway.createToken(chain.id, {}, person)
    const messages = [{ role: 'user', content: 'Hi' }]
    const ask = (path: string, more: object = {}) =>
      gateway.post(path, token, { model: `chain-${chain.id}`, messages, ...more })
    expect((await ask('/v1/chat/completions')).status).toBe(200)
    for (const stream of [false, true]) {
      const openai = await ask('/v1/chat/completions', { stream })
      expect([openai.status, openai.headers.get('x-should-retry')]).toEqual([429, 'false'])
      expect(await openai.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
      const anthropic = await ask('/v1/messages', { max_tokens: 10, stream })
      expect([anthropic.status, anthropic.headers.get('x-should-retry')]).toEqual([429, 'false'])
      expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    }
    const responses = await gateway.post('/v1/responses', token, { model: `chain-${chain.id}`, input: 'Hi' })
    expect(responses.status).toBe(429)
    expect(await responses.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
    expect(await budgetOf(person)).toMatchObject({ spentUsd: 0.011 })
  })

  test('The choice of a Best Chain spends its creator’s budget too.', async () => {
    const { person } = await newPerson(2)
    const chain = await gateway.buildChain(['{{input}}'], { as: person })
    const { id: other } = await gateway.buildChain(['Other: {{input}}'], { as: person })
    const { token } = await gateway.createBestToken({ includedChainIds: [chain.id, other] }, person)
    const choice = JSON.stringify({ chain_id: chain.id, confidence: 0.9, reasoning: 'It fits.' })
    gateway.fake.replyByDefault(({ body }) =>
      JSON.stringify(body).includes('<request>') ? { text: choice } : {},
    )
    const ask = () =>
      gateway.post('/v1/chat/completions', token, {
        model: 'best',
        messages: [{ role: 'user', content: 'Hi' }],
      })
    expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(429)
    const report = (await gateway.request({ url: '/api/usage', as: person })).body as UsageReport
    expect(report.budget).toMatchObject({ spentUsd: 0.022 })
    expect(report.models.listed.map(({ key, runs }) => [key, runs]).toSorted()).toEqual([
      ['fake-model', 1],
      [JUDGE_CALLS, 1],
    ])
  })
})

describe('budgets of the whole, and models without a price', () => {
  test('The whole instance may have a budget.', async () => {
    const gateway = await startGateway('embedded', { prices }, { monthlyBudgetUsd: 0.011 })
    const run = (as: TestUser, promptId: number) =>
      gateway.request({ method: 'POST', url: '/api/execute-prompt', body: { promptId, model: 'openai' }, as })
    const prompt = await gateway.createPrompt(gateway.owner, { content: 'Hello', isPublic: true })
    expect((await run(gateway.owner, prompt.id)).status).toBe(200)
    const refused = await run(gateway.other, prompt.id)
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { error: expect.stringMatching(/^The budget of this instance of \$0\.011 a month is used up\./) },
    ])
    const everyone = await gateway.request({ url: '/api/usage?scope=everyone', as: gateway.admin })
    expect((everyone.body as UsageReport).budget).toEqual({ budgetUsd: 0.011, spentUsd: 0.011, isNear: true })
    await gateway.close()
  })

  test('Models without a price show as uncounted, or are refused by a setting.', async () => {
    for (const [unpricedModels, status] of [
      ['refused', 502],
      ['uncounted', 200],
    ] as const) {
      const gateway = await startGateway('embedded', { prices: {} }, { unpricedModels })
      const { id } = await gateway.createPrompt(gateway.owner, { content: 'Hello' })
      const reply = await gateway.request({
        method: 'POST',
        url: '/api/execute-prompt',
        body: { promptId: id, model: 'openai' },
        as: gateway.owner,
      })
      expect([reply.status, gateway.fake.journal.length]).toEqual([status, status === 200 ? 1 : 0])
      if (status === 502) expect(reply.body).toMatchObject({ error: expect.stringContaining('has no price') })
      const { models } = (await gateway.request({ url: '/api/usage', as: gateway.owner })).body as UsageReport
      expect(models.listed.map(({ uncounted }) => uncounted)).toEqual(status === 200 ? [1] : [])
      await gateway.close()
    }
  })
})

import type { Evaluation, ListedEvaluation } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import {
  type EvaluationLab,
  on,
  prices,
  startEvaluationLab,
  statusesOf,
  wordCases,
} from '../../testing/evaluations.ts'

describe.each(routeDatabaseKinds)('what stops an evaluation, on %s', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind, { prices, hasCustom: true }, { modelCallsAtOnce: 8 })
  })
  afterAll(() => lab.close())
  afterEach(() => lab.fake.reset())

  const prepare = (words?: string[]) => lab.prepare(words)

  test('At the cost limit of an evaluation, running results end and none begins. With a higher limit it goes on.', async () => {
    const { suite } = await prepare(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'])
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)], ceilingUsd: 0.002 })
    const stopped = await lab.settled(id)
    await vi.waitFor(async () => expect(statusesOf(await lab.find(id))).not.toContain('running'))
    const asked = lab.fake.journal.length
    expect(stopped).toMatchObject({
      status: 'stopped',
      stopReason: 'The cost limit is reached. Raise it to continue.',
    })
    // Two spend it; six of one person are under way at most.
    expect(asked).toBeGreaterThanOrEqual(2)
    expect(asked).toBeLessThanOrEqual(8)
    const resumed = await lab.send<Evaluation>('POST', `/api/evaluations/${id}/resume`, {
      ...{ body: { ceilingUsd: 1 }, status: 200 },
    })
    expect(resumed).toMatchObject({ status: 'running', ceilingUsd: 1, stopReason: null })
    expect((await lab.settled(id)).status).toBe('completed')
    expect(lab.fake.journal).toHaveLength(12)
  })

  test('the cases that it froze count as its starter’s text while it exists, and are refused over their limit', async () => {
    const person = await lab.registerUser()
    const prompt = await lab.makePrompt(1, { as: person })
    const cases = wordCases(['long'], { input: 'a'.repeat(18_000) })
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, cases, person)
    const textOf = async () => {
      const { rows } = await lab.client.pool.query('select text from usages where user_id = $1', [
        person.user.id,
      ])
      return Number(rows[0].text)
    }
    const before = await textOf()
    lab.fake.replyByDefault({})
    const start = { suiteId: suite.id, targets: [on(1)] }
    const { id } = await lab.settled((await lab.evaluate(start, person)).id, person)
    expect((await textOf()) - before).toBeGreaterThan(18_000)
    const url = `/api/admin/users/${person.user.id}/quotas`
    const bounds = { method: 'PATCH', url, body: { text: before + 20_000 }, as: lab.admin } as const
    expect((await lab.request(bounds)).status).toBe(200)
    const body = { ...start, ceilingUsd: 1 }
    const refused = await lab.request({ method: 'POST', url: '/api/evaluations', body, as: person })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('bytes of text')])
    await lab.send('DELETE', `/api/evaluations/${id}`, { as: person, status: 204 })
    expect(await textOf()).toBe(before)
  })

  test('An evaluation can be stopped and resumed.', async () => {
    const { suite } = await prepare(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
    const hold = Promise.withResolvers<void>()
    lab.fake.replyByDefault({ text: 'a', beforeAnyByte: () => hold.promise })
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] })
    await vi.waitFor(() => expect(lab.fake.journal.length).toBe(6))
    const stopped = await lab.send<Evaluation>('POST', `/api/evaluations/${id}/stop`, { status: 200 })
    expect(stopped).toMatchObject({ status: 'stopped', stopReason: 'Stopped by Olga', canResume: true })
    hold.resolve()
    await vi.waitFor(async () => expect(statusesOf(await lab.find(id))).not.toContain('running'))
    expect(statusesOf(await lab.find(id)).filter((status) => status === 'waiting')).toHaveLength(3)
    expect(lab.fake.journal).toHaveLength(6)
    await lab.send('POST', `/api/evaluations/${id}/resume`, { status: 200 })
    expect((await lab.settled(id)).status).toBe('completed')
    expect(lab.fake.journal).toHaveLength(9)
    const again = await lab.request({ method: 'POST', url: `/api/evaluations/${id}/resume`, as: lab.owner })
    expect([again.status, again.body]).toEqual([409, { error: 'This evaluation is complete' }])
  })

  test('its starter’s budget stops it before the next call; once there is money it continues', async () => {
    const person = await lab.registerUser()
    const prompt = await lab.makePrompt(1, { as: person })
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(['a', 'b', 'c']), person)
    lab.fake.replyByDefault({ text: 'abc', inputTokens: 150 })
    const setMoney = (money: number) =>
      lab.request({
        ...{ method: 'PATCH', url: `/api/admin/users/${person.user.id}/quotas`, body: { money } },
        as: lab.admin,
      })
    await setMoney(1)
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1), on(1, 'custom')] }, person)
    const stopped = await lab.settled(id, person)
    expect(stopped.stopReason).toMatch(/^Your budget of \$0\.010 a month is used up/)
    const refused = await lab.request({
      ...{ method: 'POST', url: `/api/evaluations/${id}/resume`, as: person },
    })
    expect([refused.status, refused.body]).toMatchObject([429, { details: 'budget_spent' }])
    await setMoney(1_000)
    await lab.send('POST', `/api/evaluations/${id}/resume`, { as: person, status: 200 })
    expect((await lab.settled(id, person)).status).toBe('completed')
  })

  test('An evaluation ends with its starter’s account.', async () => {
    const person = await lab.registerUser()
    const prompt = await lab.makePrompt(1, { as: person, isPublic: true })
    const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(words), person)
    const hold = Promise.withResolvers<void>()
    lab.fake.replyByDefault({ text: 'a', beforeAnyByte: () => hold.promise })
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] }, person)
    await vi.waitFor(() => expect(lab.fake.journal.length).toBe(6))
    const url = `/api/admin/users/${person.user.id}`
    await lab.request({ method: 'PATCH', url, body: { disabled: true }, as: lab.admin })
    hold.resolve()
    const stopped = await lab.settled(id, lab.admin)
    expect(stopped.stopReason).toMatch(/disabled/)
    expect(lab.fake.journal).toHaveLength(6)
  })

  test('One person’s evaluation does not hold up others’ runs.', async () => {
    const { prompt, suite } = await prepare(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
    const hold = Promise.withResolvers<void>()
    lab.fake.replyByDefault(({ body }) =>
      JSON.stringify(body).includes('quick')
        ? { text: 'here' }
        : { text: 'a', beforeAnyByte: () => hold.promise },
    )
    await Promise.all([1, 2].map(() => lab.evaluate({ suiteId: suite.id, targets: [on(1)] })))
    await vi.waitFor(() => expect(lab.fake.journal.length).toBe(6))
    const quick = await lab.createPrompt(lab.other, { content: 'quick' })
    const body = { promptId: quick.id, model: 'openai' }
    expect(await lab.send('POST', '/api/execute-prompt', { body, as: lab.other, status: 200 })).toMatchObject(
      {
        result: 'here',
      },
    )
    hold.resolve()
    const all = await lab.send<ListedEvaluation[]>('GET', `/api/evaluations?promptId=${prompt.id}`)
    for (const { id } of all) expect((await lab.settled(id)).status).toBe('completed')
  })
})

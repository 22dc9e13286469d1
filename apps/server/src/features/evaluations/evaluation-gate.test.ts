import type { FailingSuite } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, startEvaluationLab, wordCases } from '../../testing/evaluations.ts'
import type { TestUser } from '../../testing/harness.ts'

const on = (version: number, model: 'openai' | 'custom' | null = 'openai') => ({ version, model })

describe.each(routeDatabaseKinds)('the gate of a protected label on %s', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind, { hasCustom: true })
    const url = '/api/admin/protected-labels/production'
    const body = { whoMayMove: 'editors', needsSuite: true }
    await lab.send('PUT', url, { body, as: lab.admin })
    // The second version says nothing of what is asked; the third does so by one of two models.
    lab.fake.replyByDefault(({ body }) => {
      const sent = JSON.stringify(body)
      return { text: sent.includes('v2') ? 'nothing' : sent }
    })
  })
  afterAll(() => lab.close())

  const move = async (
    id: number,
    version: number,
    { as = lab.owner, ...more }: { as?: TestUser; override?: boolean; reason?: string } = {},
  ) => {
    const url = `/api/prompts/${id}/labels/production`
    const body = { version, expectedVersion: null, ...more }
    const reply = await lab.request({ method: 'PUT', url, body, as })
    const { details } = reply.body as { details?: { code: string; suites: FailingSuite[] } }
    return { status: reply.status, suites: details?.suites, code: details?.code }
  }
  const evaluated = async (suiteId: number, targets: ReturnType<typeof on>[], as?: TestUser) => {
    const { id } = await lab.evaluate({ suiteId, targets }, as)
    return (await lab.settled(id, as)).id
  }
  const prepare = async () => {
    const prompt = await lab.makePrompt(2, { isPublic: true })
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(['sun', 'moon']))
    return { id: prompt.id, suite }
  }

  test('a version that was not evaluated is refused, one that passed is not, and the move names its evaluation', async () => {
    const { id, suite } = await prepare()
    const missing = { suiteId: suite.id, name: 'Launch mails', evaluationId: null, failing: [] }
    expect(await move(id, 1)).toEqual({ status: 409, code: 'GATE_CLOSED', suites: [missing] })
    const evaluationId = await evaluated(suite.id, [on(1)])
    expect((await move(id, 1)).status).toBe(200)
    expect(await lab.send('GET', `/api/prompts/${id}/label-moves`)).toMatchObject([{ evaluationId }])
  })

  test('An override of the gate needs a reason.', async () => {
    const { id, suite } = await prepare()
    const evaluationId = await evaluated(suite.id, [on(1), on(2)])
    const failing = [
      { caseName: 'Says sun', target: 'v2 · openai', reason: expect.stringContaining('sun') },
      { caseName: 'Says moon', target: 'v2 · openai', reason: expect.stringContaining('moon') },
    ]
    expect((await move(id, 2)).suites).toEqual([
      { suiteId: suite.id, name: 'Launch mails', evaluationId, failing },
    ])
    expect((await move(id, 2, { override: true, reason: 'No readers yet' })).status).toBe(200)
  })

  test('The gate needs every suite, on its current tests, with all results of the version.', async () => {
    const { id, suite } = await prepare()
    await evaluated(suite.id, [on(1)])
    const cases = [{ name: 'Never', assertions: [{ type: 'contains', value: 'never said' }] }]
    const second = await lab.makeSuite({ kind: 'prompt', id }, cases)
    expect((await move(id, 1)).suites).toMatchObject([{ suiteId: second.id, evaluationId: null }])
    await evaluated(second.id, [on(1, 'custom')])
    expect((await move(id, 1)).suites).toMatchObject([
      { suiteId: second.id, failing: [{ target: 'v1 · custom', caseName: 'Never' }] },
    ])
  })

  test('an evaluation from before a change of the cases does not count; renaming the suite changes nothing', async () => {
    const { id, suite } = await prepare()
    await evaluated(suite.id, [on(1)])
    const url = `/api/test-suites/${suite.id}`
    const change = async (path: string, body: object) =>
      expect((await lab.request({ method: 'PATCH', url: `${url}${path}`, body, as: lab.owner })).status).toBe(
        200,
      )
    const caseUrl = `/cases/${suite.cases[0]?.id}`
    await change(caseUrl, { assertions: [{ type: 'contains', value: 'sunny' }] })
    expect((await move(id, 1)).suites).toMatchObject([{ evaluationId: null }])
    await change(caseUrl, { assertions: [{ type: 'contains', value: 'sun' }] })
    await change('', { name: 'Renamed' })
    expect((await move(id, 1)).status).toBe(200)
  })

  test('an evaluation by someone who may not change the record does not count; a suite without cases, or no suite, does not pass', async () => {
    const { id, suite } = await prepare()
    await evaluated(suite.id, [on(2)], lab.other)
    expect((await move(id, 2)).suites).toMatchObject([{ evaluationId: null }])
    for (const { id: caseId } of suite.cases)
      await lab.send('DELETE', `/api/test-suites/${suite.id}/cases/${caseId}`, { status: 204 })
    expect((await move(id, 2)).suites).toMatchObject([{ suiteId: suite.id, evaluationId: null }])
    await lab.send('DELETE', `/api/test-suites/${suite.id}`, { status: 204 })
    expect(await move(id, 2)).toEqual({ status: 409, code: 'GATE_CLOSED', suites: [] })
  })

  test('a running or stopped evaluation does not count', async () => {
    const { id, suite } = await prepare()
    const hold = Promise.withResolvers<void>()
    lab.fake.reply({ text: 'sun', beforeAnyByte: () => hold.promise })
    const started = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] })
    expect((await move(id, 1)).suites).toMatchObject([{ evaluationId: null }])
    await lab.send('POST', `/api/evaluations/${started.id}/stop`, { status: 200 })
    expect((await move(id, 1)).suites).toMatchObject([{ evaluationId: null }])
    // What was under way ends it.
    hold.resolve()
  })
})

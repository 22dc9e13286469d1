import type { EvaluationCellDetail, ListedEvaluation, UsageReport } from '@catenary/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import {
  type EvaluationLab,
  on,
  prices,
  startEvaluationLab,
  statusesOf,
  wordCases,
} from '../../testing/evaluations.ts'

describe.each(routeDatabaseKinds)('evaluations on %s', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind, { prices, hasCustom: true }, { modelCallsAtOnce: 8 })
  })
  afterAll(() => lab.close())
  afterEach(() => lab.fake.reset())

  const prepare = (words?: string[]) => lab.prepare(words)

  test('Each result is a run, recorded with its version, apart from the ordinary histories.', async () => {
    const { prompt, suite } = await prepare()
    const targets = [on(1), on(2)]
    const started = await lab.evaluate({ suiteId: suite.id, targets, baseline: 0 })
    expect(started).toMatchObject({
      status: 'running',
      isMine: true,
      canStop: true,
      suiteName: 'Launch mails',
    })
    expect(started.cases[0]).toMatchObject({ name: 'Says one', given: 'word = one' })
    const ended = await lab.settled(started.id)
    expect(ended).toMatchObject({ status: 'completed', costUsd: 0.006, canStop: false, isCurrent: true })
    expect(statusesOf(ended)).toEqual(['passed', 'failed', 'passed', 'failed', 'passed', 'failed'])
    expect(ended.cells[1]).toMatchObject({
      ...{ casePosition: 0, targetPosition: 1, failing: 1, costUsd: 0.001, reusedFrom: null },
      reason: expect.stringContaining('one'),
      durationMs: expect.any(Number),
    })
    const detail = await lab.send<EvaluationCellDetail>('GET', `/api/evaluations/${started.id}/cells/0/1`)
    expect(detail.results).toMatchObject([{ type: 'contains', passed: false }])
    const executionId = ended.cells[0]?.executionId
    const run = await lab.send<object>('GET', `/api/prompts/${prompt.id}/executions/${executionId}`)
    expect(run).toMatchObject({ promptVersion: 1, executedPromptContent: 'v1 one', status: 'completed' })
    expect(lab.fake.journal).toHaveLength(6)
    expect(await lab.send('GET', `/api/prompts/${prompt.id}/executions`)).toEqual([])
    const listed = await lab.send<ListedEvaluation[]>('GET', `/api/evaluations?promptId=${prompt.id}`)
    expect(listed).toMatchObject([{ id: started.id, cells: 6, ended: 6, passed: 3, costUsd: 0.006 }])
  })

  test('for each version the newest completed evaluation of each suite counts, on any model', async () => {
    const { prompt, suite } = await prepare()
    const other = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(['four']))
    const gone = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(['five', 'six']))
    const evaluate = async (suiteId: number, targets: ReturnType<typeof on>[]) =>
      lab.settled((await lab.evaluate({ suiteId, targets })).id)
    const tests = () => lab.send('GET', `/api/evaluations/versions?promptId=${prompt.id}`)
    expect(await tests()).toEqual([])
    await evaluate(suite.id, [on(1), on(2)])
    await evaluate(suite.id, [on(1), on(1, 'custom')])
    await evaluate(other.id, [on(2)])
    await evaluate(gone.id, [on(2)])
    await lab.send('DELETE', `/api/test-suites/${gone.id}`, { status: 204 })
    expect(await tests()).toEqual([
      { version: 2, cells: 3 + 1, passed: 0 },
      { version: 1, cells: 6, passed: 6 },
    ])
    const both = `/api/evaluations/versions?promptId=${prompt.id}&chainId=1`
    expect((await lab.request({ url: both, as: lab.owner })).status).toBe(400)
  })

  test('An evaluation’s cost counts in budgets and in usage, as a source of its own.', async () => {
    const person = await lab.registerUser()
    const prompt = await lab.makePrompt(1, { as: person })
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(['a', 'b']), person)
    lab.fake.replyByDefault({ text: 'a', inputTokens: 10 })
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] }, person)
    await lab.settled(id, person)
    const report = await lab.send<UsageReport>('GET', '/api/usage', { as: person })
    expect(report.sources.listed).toMatchObject([{ key: 'evaluation', runs: 2, costUsd: 0.002 }])
    expect(report.prompts.listed).toEqual([])
    expect(report.models.listed).toMatchObject([{ key: 'fake-model', runs: 2, costUsd: 0.002 }])
  })

  test('The estimate takes the tokens of past runs, else the length of the texts, with the judge included.', async () => {
    const { prompt, suite } = await prepare()
    const wanted = { suiteId: suite.id, targets: [on(1)] }
    const first = await lab.estimate(wanted)
    expect(first).toMatchObject({ cells: 3, reused: 0, uncounted: 0, judge: null })
    expect(first.targets).toMatchObject([{ version: 1, basis: 'text', runs: 0 }])
    expect(first.medianUsd).toBeGreaterThan(0)
    for (const inputTokens of [10, 10, 10, 10, 500]) {
      lab.fake.reply({ text: 'x', inputTokens })
      const body = { promptId: prompt.id, model: 'openai', variables: { word: 'x' } }
      await lab.send('POST', '/api/execute-prompt', { body, status: 200 })
    }
    const second = await lab.estimate(wanted)
    expect(second.targets).toMatchObject([{ basis: 'runs', runs: 5, medianUsd: 0.003 }])
    // Four of five took 10 tokens; the 95th of a hundred lies four fifths of the way to the fifth.
    expect(second.p95Usd).toBeCloseTo(3 * 402 * 0.000_1, 6)
    expect((await lab.estimate({ ...wanted, targets: [on(1, 'custom')] })).targets[0]).toMatchObject({
      runs: 0,
    })
  })

  test('Results of an unchanged test and target are reused if wanted.', async () => {
    const { suite } = await prepare()
    const first = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] })
    await lab.settled(first.id)
    const [changed] = suite.cases
    const url = `/api/test-suites/${suite.id}/cases/${changed?.id}`
    const assertions = [{ type: 'contains', value: 'other' }]
    expect((await lab.request({ method: 'PATCH', url, body: { assertions }, as: lab.owner })).status).toBe(
      200,
    )
    const targets = [on(1), on(2)]
    expect(await lab.estimate({ suiteId: suite.id, targets, reuse: true })).toMatchObject({
      cells: 4,
      reused: 2,
    })
    const second = await lab.evaluate({ suiteId: suite.id, targets, reuse: true })
    const ended = await lab.settled(second.id)
    expect(lab.fake.journal).toHaveLength(3 + 4)
    expect(ended.costUsd).toBe(0.004)
    expect(ended.cells.map(({ reusedFrom }) => reusedFrom)).toEqual([
      null,
      null,
      first.id,
      null,
      first.id,
      null,
    ])
    expect(statusesOf(ended)).toEqual(['failed', 'failed', 'passed', 'failed', 'passed', 'failed'])
    const third = await lab.settled((await lab.evaluate({ suiteId: suite.id, targets: [on(1)] })).id)
    expect(third.cells.every(({ reusedFrom }) => reusedFrom === null)).toBe(true)
    expect((await lab.find(first.id)).isCurrent).toBe(false)
  })

  test('Results are not reused once a library variable that the text names has changed.', async () => {
    const { id: promptId } = await lab.createPrompt(lab.owner, {
      content: 'Sell the $<product> with $<word>',
    })
    const fields = { name: 'product', type: 'text' }
    const product = await lab.createVariable(lab.owner, { ...fields, content: 'bridge' })
    const suite = await lab.makeSuite({ kind: 'prompt', id: promptId }, wordCases(['one']))
    lab.fake.replyByDefault({ text: 'one' })
    const wanted = { suiteId: suite.id, targets: [on(1)], reuse: true }
    await lab.settled((await lab.evaluate(wanted)).id)
    expect((await lab.estimate(wanted)).reused).toBe(1)
    const change = async (url: string, body: object) =>
      expect((await lab.request({ method: 'PATCH', url, body, as: lab.owner })).status).toBe(200)
    await change(`/api/variables/${product.id}`, { ...fields, content: 'ropeway' })
    expect((await lab.estimate(wanted)).reused).toBe(0)
    await lab.settled((await lab.evaluate(wanted)).id)
    expect(lab.sent().at(-1)).toBe('Sell the ropeway with one')
    const given = { values: { word: 'one', product: 'cable' } }
    await change(`/api/test-suites/${suite.id}/cases/${suite.cases[0]?.id}`, given)
    await lab.settled((await lab.evaluate(wanted)).id)
    await change(`/api/variables/${product.id}`, { ...fields, content: 'pylon' })
    expect((await lab.estimate(wanted)).reused).toBe(1)
  })

  test('Two people can start the same evaluation twice.', async () => {
    const { prompt, suite } = await prepare()
    const body = [{ username: 'Oskar', role: 'editor' }]
    await lab.send('PUT', `/api/prompts/${prompt.id}/shares`, { body })
    const wanted = { suiteId: suite.id, targets: [on(2)] }
    const [mine, theirs] = await Promise.all([lab.evaluate(wanted), lab.evaluate(wanted, lab.other)])
    expect(mine.id).not.toBe(theirs.id)
    await Promise.all([lab.settled(mine.id), lab.settled(theirs.id, lab.other)])
    expect(lab.fake.journal).toHaveLength(6)
    const { id } = await lab.evaluate({ ...wanted, reuse: true }, lab.other)
    const shared = await lab.settled(id, lab.other)
    expect(lab.fake.journal).toHaveLength(6)
    expect(shared).toMatchObject({ status: 'completed', costUsd: 0 })
  })

  test('a model grades, its calls are in the cell’s cost, and the best of all targets is chosen once', async () => {
    const prompt = await lab.makePrompt(2)
    const rubric = { type: 'llm-rubric', value: 'is polite' }
    const best = { type: 'select-best', value: 'the shorter one' }
    const cases = [
      { name: 'Polite', values: { word: 'a' }, assertions: [rubric] },
      { name: 'Short', values: { word: 'b' }, assertions: [best] },
    ]
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, cases)
    lab.fake.replyByDefault(({ body }) => {
      const sent = JSON.stringify(body)
      if (sent.includes('is polite')) {
        return { text: '{"pass": false, "score": 0.2, "reason": "It shouts"}', inputTokens: 10 }
      }
      return { text: sent.includes('the shorter one') ? '1' : 'HEY', inputTokens: 10 }
    })
    const targets = [on(1), on(2)]
    const estimate = await lab.estimate({ suiteId: suite.id, targets, judgeModel: 'openai' })
    expect(estimate.judge).toMatchObject({ model: 'openai', calls: 3 })
    const { id } = await lab.evaluate({ suiteId: suite.id, targets, judgeModel: 'openai' })
    const ended = await lab.settled(id)
    expect(statusesOf(ended)).toEqual(['failed', 'failed', 'failed', 'passed'])
    expect(ended.cells[0]).toMatchObject({ reason: 'It shouts', costUsd: 0.002, score: 0.2 })
    expect(ended.cells.slice(2).map(({ costUsd }) => costUsd)).toEqual([0.0015, 0.0015])
    expect(ended.costUsd).toBeCloseTo(0.007, 9)
    expect(lab.fake.journal).toHaveLength(7)
  })

  test('escapes in a judge’s reply that no database can store do not block the evaluation', async () => {
    const { suite } = await prepare(['a'])
    const url = `/api/test-suites/${suite.id}/cases/${suite.cases[0]?.id}`
    const body = { assertions: [{ type: 'llm-rubric', value: 'is polite' }] }
    expect((await lab.request({ method: 'PATCH', url, body, as: lab.owner })).status).toBe(200)
    lab.fake.replyByDefault({ text: '{"pass": false, "score": 0, "reason": "rude\\u0000 \\ud800 words"}' })
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)], judgeModel: 'openai' })
    expect((await lab.settled(id)).cells).toMatchObject([{ status: 'failed', reason: 'rude \ufffd words' }])
  })

  test('A run that fails does not pass.', async () => {
    const { suite } = await prepare(['a'])
    lab.fake.replyByDefault({ status: 400, message: 'no such thing' })
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] })
    const ended = await lab.settled(id)
    expect(ended.cells).toMatchObject([
      { status: 'error', reason: expect.stringMatching(/400.*no such thing/) },
    ])
    expect(ended.status).toBe('completed')
  })

  test('A chain’s versions run as they were, with each test’s values.', async () => {
    const chain = await lab.buildChain(['First $<word>', 'Second {{a}} {{input}}'])
    const url = `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`
    const body = { content: 'Other $<word>' }
    expect((await lab.request({ method: 'PATCH', url, body, as: lab.owner })).status).toBe(200)
    const { version } = await lab.send<{ version: number }>('GET', `/api/chains/${chain.id}`)
    const cases = wordCases(['sun'], { input: 'please', assertions: [{ type: 'contains', value: 'please' }] })
    const suite = await lab.makeSuite({ kind: 'chain', id: chain.id }, cases)
    lab.fake.replyByDefault({})
    const targets = [on(version - 1, null), on(version, null)]
    const ended = await lab.settled((await lab.evaluate({ suiteId: suite.id, targets })).id)
    expect(statusesOf(ended)).toEqual(['passed', 'passed'])
    expect(
      lab
        .sent()
        .filter((text) => / sun$/.test(text))
        .toSorted(),
    ).toEqual(['First sun', 'Other sun'])
    expect(await lab.send('GET', `/api/chains/${chain.id}/executions`)).toEqual([])
  })

  test('Deleting an evaluation deletes its runs.', async () => {
    const { prompt, suite } = await prepare(['a', 'b'])
    const first = await lab.settled((await lab.evaluate({ suiteId: suite.id, targets: [on(1)] })).id)
    const wanted = { suiteId: suite.id, targets: [on(1), on(2)], reuse: true }
    const second = await lab.settled((await lab.evaluate(wanted)).id)
    const runOf = async (id: number | null | undefined) =>
      (await lab.request({ url: `/api/prompts/${prompt.id}/executions/${id}`, as: lab.owner })).status
    await lab.send('DELETE', `/api/evaluations/${second.id}`, { status: 204 })
    expect(await runOf(second.cells[1]?.executionId)).toBe(404)
    expect(await runOf(first.cells[0]?.executionId)).toBe(200)
    expect((await lab.request({ url: `/api/evaluations/${second.id}`, as: lab.owner })).status).toBe(404)
  })

  test('What can’t be evaluated is refused in words.', async () => {
    const { prompt, suite } = await prepare(['a'])
    const empty = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, [])
    const start = async (body: object) => {
      const reply = await lab.request({
        ...{ method: 'POST', url: '/api/evaluations', body: { ceilingUsd: 1, ...body }, as: lab.owner },
      })
      return [reply.status, (reply.body as { error: string }).error]
    }
    const suiteId = suite.id
    expect(await start({ suiteId: empty.id, targets: [on(1)] })).toEqual([
      409,
      'This suite has no tests. Add one to evaluate it.',
    ])
    expect(await start({ suiteId, targets: [on(1), on(1)] })).toEqual([
      400,
      'List each pair of version and model once',
    ])
    expect(await start({ suiteId, targets: [on(1, null)] })).toEqual([
      400,
      'Choose a model for each version of a prompt',
    ])
    expect(await start({ suiteId, targets: [on(9)] })).toEqual([404, 'Version not found'])
    expect(await start({ suiteId, targets: [on(1)], baseline: 1 })).toEqual([
      400,
      'The baseline must be one of the targets',
    ])
    expect((await start({ suiteId, targets: [on(1)], ceilingUsd: 0 }))[0]).toBe(400)
    expect((await start({ suiteId, targets: [] }))[0]).toBe(400)
    expect((await start({ suiteId: 999_999, targets: [on(1)] }))[0]).toBe(404)
  })
})

import type {
  Evaluation,
  EvaluationCellDetail,
  GateState,
  ListedEvaluation,
  Prompt,
  VersionTests,
} from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, on, startEvaluationLab } from '../../testing/evaluations.ts'
import type { TestUser } from '../../testing/harness.ts'

const SECRET = 'Zebra-4711'

describe.each(routeDatabaseKinds)('cells that used private values, on %s', (kind) => {
  let lab: EvaluationLab
  let victim: TestUser
  beforeAll(async () => {
    lab = await startEvaluationLab(kind)
    victim = await lab.registerUser({ username: 'Vera' })
    await lab.createVariable(victim, { name: 'client', content: SECRET })
  })
  afterAll(() => lab.close())
  beforeEach(() => {
    lab.fake.reset()
    lab.fake.replyByDefault(({ body }) => ({ text: `Dear ${JSON.stringify(body)}` }))
  })

  /** A stranger's public record whose tests ask for the value. */
  const trap = async (
    cases: object[] = [{ name: 'Same', assertions: [{ type: 'equals', value: 'zzz' }] }],
  ) => {
    const prompt = await lab.createPrompt(lab.owner, { content: 'Write to $<client>', isPublic: true })
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, cases)
    return { prompt, suite }
  }
  const evaluate = async (suiteId: number, as = victim, more: object = {}) =>
    lab.settled((await lab.evaluate({ suiteId, targets: [on(1)], ...more }, as)).id, as)
  const textFor = async (url: string, as: TestUser) => {
    const { status, text } = await lab.request({ url, as })
    expect(status, text).toBe(200)
    return text
  }

  test('show no pass, score or reason to others, wherever they appear', async () => {
    const { prompt, suite } = await trap([
      { name: 'Same', assertions: [{ type: 'equals', value: 'zzz' }] },
      { name: 'Starts', assertions: [{ type: 'contains', value: 'Zebra' }] },
    ])
    const { id } = await evaluate(suite.id)
    const own = await lab.find(id, victim)
    expect(own.cells.map(({ status }) => status)).toEqual(['failed', 'passed'])
    expect(own.cells[0]?.reason).toContain(SECRET)
    const of = `promptId=${prompt.id}`
    for (const as of [lab.owner, lab.other, lab.admin]) {
      const seen = JSON.parse(await textFor(`/api/evaluations/${id}`, as)) as Evaluation
      expect(seen.cells).toMatchObject(
        [0, 1].map((casePosition) => ({
          ...{ casePosition, status: 'private', reason: null, score: null, failing: 0, notRun: 0 },
          executionId: null,
        })),
      )
      for (const place of ['0/0', '1/0']) {
        const text = await textFor(`/api/evaluations/${id}/cells/${place}`, as)
        expect(JSON.parse(text) as EvaluationCellDetail).toMatchObject({ status: 'private', results: [] })
        expect(text).not.toContain('Zebra-')
      }
      expect(JSON.stringify(seen)).not.toContain('Zebra-')
    }
    const list = JSON.parse(await textFor(`/api/evaluations?${of}`, lab.owner)) as ListedEvaluation[]
    expect(list).toMatchObject([
      { id, status: 'started', cells: 2, ended: null, passed: null, private: null, costUsd: null },
    ])
    const versions = await textFor(`/api/evaluations/versions?${of}`, lab.owner)
    expect(JSON.parse(versions) as VersionTests[]).toEqual([])
    expect(JSON.parse(await textFor(`/api/evaluations/versions?${of}`, victim))).toEqual([
      { version: 1, cells: 2, passed: 1 },
    ])
    const mine = JSON.parse(await textFor(`/api/evaluations?${of}`, victim)) as ListedEvaluation[]
    expect(mine).toMatchObject([{ passed: 1, private: 0 }])
  })

  test('of a chain that keeps its runs to who started them, too', async () => {
    const chain = await lab.buildChain(['Write to $<client>'], {
      ...{ sharedLevel: 'public', runsVisibleTo: 'runner' },
    })
    const cases = [{ name: 'Same', assertions: [{ type: 'equals', value: 'zzz' }] }]
    const suite = await lab.makeSuite({ kind: 'chain', id: chain.id }, cases)
    const { id } = await evaluate(suite.id, victim, { targets: [on(chain.version, null)] })
    expect((await lab.find(id, victim)).cells[0]?.reason).toContain(SECRET)
    for (const as of [lab.owner, lab.other]) {
      expect(await textFor(`/api/evaluations/${id}`, as)).not.toContain('4711')
      expect(await textFor(`/api/evaluations/${id}/cells/0/0`, as)).not.toContain('4711')
    }
  })

  test('without private values are seen by others', async () => {
    const { suite } = await trap([
      { name: 'Said', values: { client: 'anyone' }, assertions: [{ type: 'contains', value: 'anyone' }] },
    ])
    const { id } = await evaluate(suite.id)
    expect((await lab.find(id, lab.other)).cells).toMatchObject([{ status: 'passed', score: 1 }])
  })

  test('that are compared with a private one reveal nothing either', async () => {
    const choose = { type: 'select-best', value: 'The first where the other says Zebra' }
    const prompt: Prompt = await lab.createPrompt(lab.owner, { content: 'Write', isPublic: true })
    const { title, categoryId } = prompt
    const body = { title, categoryId, content: 'Write to $<client>' }
    await lab.send('PUT', `/api/prompts/${prompt.id}`, { body })
    await lab.request({
      ...{ method: 'PUT', url: `/api/prompts/${prompt.id}/shares`, as: lab.owner },
      body: [{ username: 'Vera', role: 'editor' }],
    })
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, [
      { name: 'Best', assertions: [choose] },
      { name: 'Any', assertions: [{ type: 'contains', value: 'Write' }] },
    ])
    lab.fake.replyByDefault(({ body }) => ({
      text: JSON.stringify(body).includes('Zebra-4711"}') ? '1' : '0',
    }))
    const { id } = await evaluate(suite.id, victim, { targets: [on(1), on(2)] })
    const statuses = (await lab.find(id, lab.other)).cells.map(({ status }) => status)
    expect(statuses).toEqual(['private', 'private', 'private', 'private'])
  })

  test('Of an evaluation that may use private values others see only that it is there (D68).', async () => {
    const { prompt, suite } = await trap([
      { name: 'Open', values: { client: 'anyone' }, assertions: [{ type: 'contains', value: 'zzz' }] },
      { name: 'Starts', assertions: [{ type: 'contains', value: 'Zebra' }] },
    ])
    const hold = Promise.withResolvers<void>()
    lab.fake.reply({ text: 'Held', beforeAnyByte: () => hold.promise }, { text: SECRET })
    const { id } = await lab.evaluate({ suiteId: suite.id, targets: [on(1)] }, victim)
    const addresses = [
      ...[`/api/evaluations/${id}`, `/api/evaluations/${id}/cells/0/0`, `/api/evaluations/${id}/cells/1/0`],
      ...[`/api/evaluations?promptId=${prompt.id}`, `/api/evaluations/versions?promptId=${prompt.id}`],
    ]
    const look = async (as: TestUser) => Promise.all(addresses.map((url) => textFor(url, as)))
    const before = [await look(lab.owner), await look(lab.other)]
    expect(JSON.parse(before[0]?.[0] ?? '')).toMatchObject({
      ...{ status: 'started', stopReason: null, finishedAt: null, costUsd: null, estimate: null },
      ...{ cells: [{ status: 'private' }, { status: 'private', durationMs: null, costUsd: null }] },
      targets: [{ modelId: null }],
    })
    hold.resolve()
    await lab.settled(id, victim)
    expect([await look(lab.owner), await look(lab.other)]).toEqual(before)
    expect(await lab.find(id, victim)).toMatchObject({ status: 'completed', costUsd: expect.any(Number) })
    expect((await lab.find(id, lab.admin)).costUsd).not.toBeNull()
    const counts = (as: TestUser) => textFor(`/api/prompts/${prompt.id}/dependants`, as)
    expect(JSON.parse(await counts(lab.owner))).toMatchObject({ suites: 1, evaluations: 0 })
  })

  test('An estimate rests on runs that the person who asks may read, and is shown to them alone.', async () => {
    const prompt = await lab.createPrompt(lab.owner, { content: 'Plain words', isPublic: true })
    const suite = await lab.makeSuite({ kind: 'prompt', id: prompt.id }, [{ name: 'Any', assertions: [] }])
    const chain = await lab.buildChain(['Plain'], { sharedLevel: 'public' })
    const ofChain = await lab.makeSuite({ kind: 'chain', id: chain.id }, [{ name: 'Any', assertions: [] }])
    const targets = [on(1)]
    const body = { promptId: prompt.id, model: 'openai' }
    const basisFor = async (as: TestUser) => {
      const [one] = (await lab.estimate({ suiteId: suite.id, targets }, as)).targets
      const other = await lab.estimate({ suiteId: ofChain.id, targets: [on(chain.version, null)] }, as)
      return [one?.basis, one?.runs, other.targets[0]?.runs]
    }
    await lab.request({ method: 'POST', url: '/api/execute-prompt', body, as: victim })
    await lab.ended(await lab.execute(chain.id, {}, victim), victim)
    expect(await basisFor(victim)).toEqual(['runs', 1, 1])
    expect(await basisFor(lab.owner)).toEqual(['text', 0, 0])
    await lab.request({
      ...{ method: 'PUT', url: `/api/prompts/${prompt.id}/run-share`, as: victim },
      body: { names: [] },
    })
    expect(await basisFor(lab.owner)).toEqual(['runs', 1, 0])
  })

  test('are reused by nobody else', async () => {
    const { suite } = await trap()
    const theirs = await evaluate(suite.id)
    const request = { suiteId: suite.id, targets: [on(1)], reuse: true }
    expect((await lab.estimate(request, victim)).reused).toBe(1)
    // With the hash of the owner's own, as if the variable had come between plan and run.
    const { id } = await evaluate(suite.id, lab.owner)
    await lab.db.execute(`
      update evaluation_cells set hash = (select hash from evaluation_cells where evaluation_id = ${id})
      where evaluation_id = ${theirs.id}`)
    await lab.db.execute(`update evaluation_cells set status = 'error' where evaluation_id = ${id}`)
    expect((await lab.estimate(request, lab.owner)).reused).toBe(0)
  })

  test('Counts and gates leave out what used private values (D68).', async () => {
    const { prompt, suite } = await trap()
    await lab.request({
      ...{ method: 'PUT', url: `/api/prompts/${prompt.id}/shares`, as: lab.owner },
      body: [{ username: 'Vera', role: 'editor' }],
    })
    const body = { whoMayMove: 'editors', needsSuite: true }
    await lab.send('PUT', '/api/admin/protected-labels/production', { body, as: lab.admin })
    const { id } = await evaluate(suite.id)
    const path = `/api/prompts/${prompt.id}/labels/production`
    const move = { version: 1, expectedVersion: null }
    const refused = await lab.request({ method: 'PUT', url: path, body: move, as: lab.owner })
    expect(refused.status, refused.text).toBe(409)
    expect(refused.text).not.toContain(SECRET)
    const preview = await textFor(`${path}/gate?version=1`, lab.owner)
    expect(preview).not.toContain(SECRET)
    expect(JSON.parse(preview) as GateState).toMatchObject({ suites: [{ evaluationId: id, failing: [] }] })
  })
})

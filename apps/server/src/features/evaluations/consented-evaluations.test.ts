import type { CreatedFolderToken, EvaluationForecast } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, on, startEvaluationLab, statusesOf } from '../../testing/evaluations.ts'
import type { TestUser } from '../../testing/harness.ts'

const SECRET = 'Zebra-4711'
const CONTENT = 'Write to $<Client>'
const SAYS = [{ type: 'contains', value: 'Zebra' }]

describe.each(routeDatabaseKinds)('private values in evaluations, on %s', (kind) => {
  let lab: EvaluationLab
  /** Who has the value. */
  let runner: TestUser
  beforeAll(async () => {
    lab = await startEvaluationLab(kind)
    runner = await lab.registerUser({ username: 'Vera' })
    await lab.createVariable(runner, { name: 'client', content: SECRET })
  })
  afterAll(() => lab.close())
  beforeEach(() => {
    lab.fake.reset()
    lab.fake.replyByDefault(({ body }) => ({ text: JSON.stringify(body) }))
  })

  const RECORDS = {
    prompt: async (as: TestUser) => {
      const { id } = await lab.createPrompt(as, { content: CONTENT, isPublic: true })
      return { record: { kind: 'prompt', id } as const, targets: [on(1)] }
    },
    chain: async (as: TestUser) => {
      const { id, version } = await lab.buildChain([CONTENT], { as, sharedLevel: 'public' })
      return { record: { kind: 'chain', id } as const, targets: [on(version, null)] }
    },
  }
  const prepare = async (
    kindOfRecord: keyof typeof RECORDS,
    { as = lab.owner, cases = [{ name: 'Says', assertions: SAYS }] as object[] } = {},
  ) => {
    const { record, targets } = await RECORDS[kindOfRecord](as)
    const suite = await lab.makeSuite(record, cases, as)
    return { record, wanted: { suiteId: suite.id, targets } }
  }
  const post = (url: string, body: object) => lab.request({ method: 'POST', url, body, as: runner })
  const start = (wanted: object) => post('/api/evaluations', { ...wanted, ceilingUsd: 1 })
  const asksToFill = async (wanted: object) =>
    ((await post('/api/evaluations/estimate', wanted)).body as EvaluationForecast).asksToFill
  const settledOf = async (reply: { body: unknown }) => lab.settled((reply.body as { id: number }).id, runner)

  /** As if it had been stopped before its first test. */
  const runAgain = async (id: number, as: TestUser) => {
    await lab.db.execute(sql`update evaluations set status = 'stopped' where id = ${id}`)
    await lab.db.execute(sql`
      update evaluation_cells set status = 'waiting', execution_id = null, grade = null, reason = null
      where evaluation_id = ${id}`)
    await lab.send('POST', `/api/evaluations/${id}/resume`, { as, status: 200 })
    return lab.settled(id, as)
  }

  describe.each(['prompt', 'chain'] as const)('of another’s %s', (kindOfRecord) => {
    test('An evaluation whose texts name a private value that another brought in starts only with that name in `fills` (D69).', async () => {
      const { record, wanted } = await prepare(kindOfRecord)
      expect(await asksToFill(wanted)).toEqual(['client'])
      for (const fills of [undefined, [], ['other']]) {
        const refused = await start({ ...wanted, fills })
        expect([refused.status, refused.body]).toMatchObject([
          409,
          { code: 'private_values', details: [{ name: 'client', record }] },
        ])
      }
      expect(lab.sent()).toEqual([])
      const url = `/api/evaluations?${record.kind}Id=${record.id}`
      expect((await lab.request({ url, as: runner })).body).toEqual([])
      const ended = await settledOf(await start({ ...wanted, fills: ['CLIENT'] }))
      expect([ended.status, statusesOf(ended)]).toEqual(['completed', ['passed']])
    })

    test('A test’s own values are asked about by nobody (D69).', async () => {
      const cases = [{ name: 'Own', values: { Client: 'Zebra' }, assertions: SAYS }]
      const { wanted } = await prepare(kindOfRecord, { cases })
      expect(await asksToFill(wanted)).toEqual([])
      expect(statusesOf(await settledOf(await start(wanted)))).toEqual(['passed'])
      expect(lab.sent().join()).not.toContain(SECRET)
    })

    test('that there are only since the start are an error of their tests alone', async () => {
      const cases = [
        { name: 'Own', values: { Client: 'Zebra' }, assertions: SAYS },
        { name: 'Says', assertions: SAYS },
      ]
      const { wanted } = await prepare(kindOfRecord, { cases })
      const late = await lab.registerUser()
      const { id } = await lab.evaluate(wanted, late)
      expect(statusesOf(await lab.settled(id, late))).toEqual([
        'passed',
        kindOfRecord === 'chain' ? 'error' : 'failed',
      ])
      await lab.createVariable(late, { name: 'client', content: SECRET })
      const ended = await runAgain(id, late)
      expect([ended.status, statusesOf(ended)]).toEqual(['completed', ['passed', 'error']])
    })

    test('that began before anybody was asked go on as they began', async () => {
      const { wanted } = await prepare(kindOfRecord)
      const { id } = await settledOf(await start({ ...wanted, fills: ['client'] }))
      await lab.db.execute(sql`
        update evaluations set targets = (select jsonb_agg(t - 'allowed') from jsonb_array_elements(targets) as t)
        where id = ${id}`)
      expect(statusesOf(await runAgain(id, runner))).toEqual(['passed'])
    })
  })

  test('by a folder’s token take what its list has, and name what came later', async () => {
    const { id, slug, title, categoryId } = await lab.createPrompt(runner, { content: 'Go.' })
    await lab.makeSuite({ kind: 'prompt', id }, [{ name: 'Says', assertions: SAYS }], runner)
    await lab.send('PUT', `/api/prompts/${id}/shares`, {
      body: [{ username: lab.other.user.username, role: 'editor' }],
      as: runner,
    })
    const token = await lab.send<CreatedFolderToken>('POST', '/api/folder-tokens', {
      body: { name: 'CI', mayEvaluate: true },
      as: runner,
    })
    const body = { title, content: CONTENT, categoryId }
    await lab.send('PUT', `/api/prompts/${id}`, { body, as: lab.other })
    const evaluate = () =>
      lab.request({
        ...{ method: 'POST', url: '/api/folder/evaluations' },
        body: { suite: `${slug}/launch-mails`, label: 'latest', model: 'openai', ceilingUsd: 1 },
        headers: { authorization: `Bearer ${token.token}` },
      })
    const record = { kind: 'prompt', id }
    const refused = await evaluate()
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'private_values', details: [{ name: 'client', record }] },
    ])
    const fills = [{ ...record, name: 'client' }]
    await lab.send('PATCH', `/api/folder-tokens/${token.id}`, { body: { fills }, as: runner })
    expect(statusesOf(await settledOf(await evaluate()))).toEqual(['passed'])
  })

  test('of one’s own texts need no yes', async () => {
    const { wanted } = await prepare('prompt', { as: runner })
    expect(await asksToFill(wanted)).toEqual([])
    expect(statusesOf(await settledOf(await start(wanted)))).toEqual(['passed'])
  })
})

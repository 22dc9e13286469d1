import type { CreatedReadToken } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, startEvaluationLab } from '../../testing/evaluations.ts'

const NOTHING = { chains: 0, schedules: 0, tokens: 0, suites: 0, evaluations: 0 }

describe.each(routeDatabaseKinds)('what would end with a record, on %s', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind)
  })
  afterAll(() => lab.close())

  const of = (path: string) => lab.send('GET', `/api/${path}/dependants`)

  test('Read tokens that fetch a prompt are named beside it, to whoever may change it.', async () => {
    const { prompt, suite } = await lab.prepare()
    const path = `prompts/${prompt.id}`
    expect(await of(path)).toEqual({ ...NOTHING, suites: 1 })
    await lab.send('PUT', `/api/${path}/shares`, {
      body: [{ username: lab.other.user.username, role: 'viewer' }],
    })
    await lab.buildChain([
      { promptId: prompt.id, content: '' },
      { promptId: prompt.id, content: '' },
    ])
    const theirs = await lab.createChain(lab.other)
    const body = { title: 'Two', promptId: prompt.id, content: '', outputVariableName: 'two' }
    await lab.send('POST', `/api/chains/${theirs.id}/steps`, { body, as: lab.other })
    const token: CreatedReadToken = await lab.send('POST', '/api/read-tokens', {
      body: { name: 'Billing', promptIds: [prompt.id] },
    })
    await lab.evaluate({ suiteId: suite.id, targets: [{ version: 1, model: 'openai' }] })
    expect(await of(path)).toEqual({ chains: 2, schedules: 0, tokens: 1, suites: 1, evaluations: 1 })
    await lab.send('DELETE', `/api/tokens/${token.id}`, { status: 204 })
    expect(await of(path)).toMatchObject({ tokens: 0 })
  })

  test('Deleting a prompt or chain says how many schedules, tokens, linking chains, suites and evaluations end with it, to whoever may change it; to others only which kinds.', async () => {
    const chain = await lab.buildChain(['Say $<word>.'])
    const other = await lab.buildChain(['Say nothing.'])
    const path = `chains/${chain.id}`
    for (const name of ['Weekly', 'Daily']) {
      const scheduledTime = new Date(Date.now() + 3_600_000).toISOString()
      await lab.send('POST', `/api/${path}/schedule`, { body: { name, scheduledTime, timeZone: 'UTC' } })
    }
    await lab.send('POST', '/api/tokens', { body: { name: 'Production', chainId: chain.id } })
    await lab.makeSuite({ kind: 'chain', id: chain.id }, [])
    expect(await of(path)).toEqual({ ...NOTHING, schedules: 2, tokens: 1, suites: 1 })
    expect(await of(`chains/${other.id}`)).toEqual(NOTHING)
    await lab.send('DELETE', `/api/${path}`, { status: 204 })
    const { rows } = await lab.db.execute(`
      select (select count(*)::integer from scheduled_runs) as schedules,
        (select count(*)::integer from api_tokens where chain_id is not null) as tokens`)
    expect(rows).toEqual([{ schedules: 0, tokens: 0 }])
  })
})

import type { Chain, ChainExecutionSummary, StartedExecution } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'

describe.each(routeDatabaseKinds)('who may do what with runs of chains, on %s', (kind) => {
  let library: ChainLibrary
  let chain: Chain
  const people: Record<string, TestUser | undefined> = {}
  const runs: Record<string, number> = {}

  beforeAll(async () => {
    library = await startChainLibrary(kind)
    const viewer = await library.registerUser({ username: 'Vera' })
    const editor = await library.registerUser({ username: 'Edda' })
    const { owner, other, admin } = library
    Object.assign(people, { guest: undefined, other, viewer, editor, owner, admin })
    chain = await library.buildChain(['one'], { sharedLevel: 'shared' })
    const shares = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edda', role: 'editor' },
    ]
    const url = `/api/chains/${chain.id}/shares`
    const saved = await library.request({ method: 'PUT', url, body: shares, as: owner })
    expect(saved.status, saved.text).toBe(200)
    for (const name of ['viewer', 'editor', 'owner']) {
      runs[name] = await library.execute(chain.id, {}, people[name])
      await library.ended(runs[name] ?? 0, people[name])
    }
  })
  afterAll(() => library.close())

  const send = async (who: string, method: 'GET' | 'POST' | 'DELETE', url: string) =>
    (await library.request({ method, url, as: people[who] })).status

  const cells = [
    { who: 'guest', execute: 401, list: 401, own: undefined, foreign: 401, resume: 401 },
    { who: 'other', execute: 404, list: 404, own: undefined, foreign: 404, resume: 404 },
    { who: 'viewer', execute: 201, list: 200, own: 200, foreign: 404, resume: 404 },
    { who: 'editor', execute: 201, list: 200, own: 200, foreign: 404, resume: 404 },
    { who: 'owner', execute: 201, list: 200, own: 200, foreign: 404, resume: 404 },
    // An admin reads all runs (D20), but runs and lists only chains that an admin can see.
    { who: 'admin', execute: 404, list: 404, own: undefined, foreign: 200, resume: 403 },
  ]
  test.each(cells)('$who: execute $execute, list $list, another’s run $foreign', async (cell) => {
    const { who } = cell
    expect(await send(who, 'POST', `/api/chains/${chain.id}/execute`)).toBe(cell.execute)
    expect(await send(who, 'GET', `/api/chains/${chain.id}/executions`)).toBe(cell.list)
    const foreign = runs[who === 'viewer' ? 'owner' : 'viewer']
    for (const path of ['', '/status', '/events'])
      expect(await send(who, 'GET', `/api/executions/${foreign}${path}`), path).toBe(cell.foreign)
    expect(await send(who, 'POST', `/api/executions/${foreign}/cancel`)).toBe(cell.foreign)
    expect(await send(who, 'POST', `/api/executions/${foreign}/resume`)).toBe(cell.resume)
    if (cell.foreign !== 200)
      expect(await send(who, 'DELETE', `/api/executions/${foreign}`)).toBe(cell.foreign)
    if (cell.own === undefined) return
    for (const path of ['', '/status', '/events'])
      expect(await send(who, 'GET', `/api/executions/${runs[who]}${path}`), path).toBe(cell.own)
    expect(await send(who, 'POST', `/api/executions/${runs[who]}/resume`)).toBe(409)
  })

  test('people see their own runs, an admin everyone’s of a chain that an admin can see', async () => {
    const open = await library.buildChain(['one'], { sharedLevel: 'public' })
    for (const name of ['other', 'owner']) {
      const id = await library.execute(open.id, {}, people[name])
      await library.ended(id, people[name])
    }
    const names = async (who: string) => {
      const reply = await library.request({ url: `/api/chains/${open.id}/executions`, as: people[who] })
      return (reply.body as ChainExecutionSummary[]).map(({ executedBy }) => executedBy)
    }
    expect(await names('other')).toEqual(['Oskar'])
    expect(await names('owner')).toEqual(['Olga'])
    expect(await names('admin')).toEqual(['Olga', 'Oskar'])
  })

  test('a revoked share closes one’s own runs too', async () => {
    const id = runs.viewer
    const url = `/api/chains/${chain.id}/shares`
    const shares = [{ username: 'Edda', role: 'editor' }]
    await library.request({ method: 'PUT', url, body: shares, as: people.owner })
    for (const path of ['', '/status', '/events'])
      expect(await send('viewer', 'GET', `/api/executions/${id}${path}`), path).toBe(404)
    expect(await send('viewer', 'POST', `/api/executions/${id}/resume`)).toBe(404)
  })

  test('runs of prompts are read the same way', async () => {
    const prompt = await library.createPrompt(library.owner, { content: 'Hi $<name>' })
    const reply = await library.request({
      method: 'POST',
      url: '/api/execute-prompt',
      body: { promptId: prompt.id, model: 'openai', variables: { name: 'Ada' } },
      as: library.owner,
    })
    const { executionId } = reply.body as { executionId: number }
    expect(await library.find(executionId)).toMatchObject({
      ...{ kind: 'prompt', chainId: null, chainName: 'Welcome', status: 'completed', canResume: false },
      steps: [
        {
          inputContent: 'Hi Ada',
          inputSegments: [{ start: 3, end: 6, kind: 'variable', name: 'name' }],
          resolved: { name: { type: 'typed' } },
          outputVariableValue: null,
        },
      ],
    })
    expect(await send('other', 'GET', `/api/executions/${executionId}`)).toBe(404)
    expect(await send('admin', 'GET', `/api/executions/${executionId}`)).toBe(200)
    expect(await send('owner', 'POST', `/api/executions/${executionId}/resume`)).toBe(409)
  })

  test('runs of prompts and chains count together against the limit a minute', async () => {
    const limited = await library.startProcess({ runsPerMinute: 2 })
    const prompt = await library.createPrompt(library.owner, { content: 'Hi' })
    const run = (url: string, body: object) =>
      limited.request({ method: 'POST', url, body, as: library.owner })
    expect((await run(`/api/chains/${chain.id}/execute`, {})).status).toBe(201)
    expect((await run('/api/execute-prompt', { promptId: prompt.id, model: 'openai' })).status).toBe(200)
    const refused = await run(`/api/chains/${chain.id}/execute`, {})
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((refused.body as Partial<StartedExecution>).id).toBeUndefined()
    await limited.close()
  })
})

import type { Chain, ChainRunSummary, StartedRun } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'

describe.each(routeDatabaseKinds)('who may do what with runs of chains, on %s', (kind) => {
  let library: ChainLibrary
  let chain: Chain
  const people: Record<string, TestUser | undefined> = {}
  const runs: Record<string, number> = {}

  /** Shared with a viewer, another one and an editor. */
  const build = async (
    sharedLevel: Chain['sharedLevel'],
    runsVisibleTo: Chain['runsVisibleTo'] = 'editors',
  ) => {
    const built = await library.buildChain(['one'], { sharedLevel, runsVisibleTo })
    const shares = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Viktor', role: 'viewer' },
      { username: 'Edda', role: 'editor' },
    ]
    const url = `/api/chains/${built.id}/shares`
    const saved = await library.request({ method: 'PUT', url, body: shares, as: library.owner })
    expect(saved.status, saved.text).toBe(200)
    return built
  }
  const change = async (id: number, body: object) => {
    const { status, text } = await library.request({
      method: 'PATCH',
      url: `/api/chains/${id}`,
      body,
      as: library.owner,
    })
    expect(status, text).toBe(200)
  }

  beforeAll(async () => {
    library = await startChainLibrary(kind)
    const viewer = await library.registerUser({ username: 'Vera' })
    const editor = await library.registerUser({ username: 'Edda' })
    const second = await library.registerUser({ username: 'Viktor' })
    const disabled = await library.registerUser({ username: 'Dora' })
    const { owner, other, admin } = library
    Object.assign(people, { guest: undefined, other, viewer, second, editor, owner, admin, disabled })
    const url = `/api/admin/users/${disabled.user.id}`
    expect(
      (await library.request({ method: 'PATCH', url, body: { disabled: true }, as: admin })).status,
    ).toBe(200)
    chain = await build('shared')
    for (const name of ['viewer', 'editor', 'owner']) {
      runs[name] = await library.execute(chain.id, {}, people[name])
      await library.ended(runs[name] ?? 0, people[name])
    }
  })
  afterAll(() => library.close())

  const send = async (who: string, method: 'GET' | 'POST' | 'DELETE', url: string) =>
    (await library.request({ method, url, as: people[who] })).status

  const LOG_IN = { execute: 401, list: 401, read: 401, stop: 401, resume: 401, remove: 401, sight: undefined }
  const HIDDEN = { execute: 404, list: 404, read: 404, stop: 404, resume: 404, remove: 404, sight: undefined }
  const RUNS = { ...HIDDEN, execute: 201, list: 200 }
  const SEES = { ...RUNS, read: 200, stop: 200, resume: 403, remove: 403, sight: 'texts' }
  /** Metrics of all runs; runs and lists only chains that an admin can see. */
  const COUNTS = { ...HIDDEN, read: 200, stop: 403, resume: 403, remove: 403, sight: 'figures' }
  const STARTED = { ...RUNS, read: 200, stop: 200, resume: 409, remove: 204, sight: 'own' }

  /** Rights to a run started by someone else (the last row: by themselves), by access to the chain and its runs. */
  const MATRIX = {
    'shared, runs open': { viewer: RUNS, editor: SEES, owner: SEES, other: HIDDEN, admin: COUNTS },
    'shared, runs kept': { viewer: RUNS, editor: RUNS, owner: RUNS, other: HIDDEN, admin: COUNTS },
    private: { viewer: HIDDEN, editor: HIDDEN, owner: SEES, other: HIDDEN, admin: COUNTS },
    // An admin edits what an admin can see, and so stops what runs of it.
    'public, runs open': { viewer: RUNS, editor: RUNS, owner: RUNS, other: RUNS, admin: SEES },
    'public, runs kept': {
      viewer: RUNS,
      editor: RUNS,
      owner: RUNS,
      other: RUNS,
      admin: { ...SEES, ...COUNTS, execute: 201, list: 200 },
    },
  }
  const cells = Object.entries(MATRIX).flatMap(([state, rights]) =>
    Object.entries({ ...rights, guest: LOG_IN, disabled: LOG_IN, starter: STARTED }).map(([who, cell]) => ({
      ...{ state, who, isPublic: state.startsWith('public'), isKept: state.endsWith('kept') },
      cell,
    })),
  )
  test.each(cells)(
    'Of a shared chain’s runs, each role sees, stops, resumes and deletes what D42 gives it. ($state, $who)',
    async ({ who, state, isPublic, isKept, cell }) => {
      const level = isPublic ? 'public' : 'shared'
      const { id: chainId } = await build(level, isKept ? 'runner' : 'editors')
      const starter = who === 'viewer' ? people.second : people.viewer
      Object.assign(people, { starter })
      const id = await library.execute(chainId, {}, starter)
      await library.ended(id, starter)
      if (state === 'private') await change(chainId, { sharedLevel: 'private' })
      const isLost = state === 'private' && who === 'starter'
      const { execute, list, read, stop, resume, remove, sight } = isLost ? { ...HIDDEN } : cell
      for (const path of ['', '/status', '/events', '/steps/0'])
        expect(await send(who, 'GET', `/api/executions/${id}${path}`), path).toBe(read)
      for (const path of read === 200 ? ['', '/status'] : [])
        expect(await library.request({ url: `/api/executions/${id}${path}`, as: people[who] })).toMatchObject(
          {
            body: { sight, canStop: stop === 200, canResume: false },
          },
        )
      expect(await send(who, 'POST', `/api/executions/${id}/cancel`)).toBe(stop)
      expect(await send(who, 'POST', `/api/executions/${id}/resume`)).toBe(resume)
      expect(await send(who, 'GET', `/api/chains/${chainId}/executions`)).toBe(list)
      expect(await send(who, 'POST', `/api/chains/${chainId}/execute`)).toBe(execute)
      expect(await send(who, 'DELETE', `/api/executions/${id}`)).toBe(remove)
    },
  )

  test('A person sees their own runs of chains that they can see. Owner and editors see those of a chain that shows them; an administrator sees the metrics of all (D20, D42).', async () => {
    const open = await library.buildChain(['one'], { sharedLevel: 'public' })
    for (const name of ['other', 'owner']) {
      const id = await library.execute(open.id, {}, people[name])
      await library.ended(id, people[name])
    }
    const names = async (who: string) => {
      const reply = await library.request({ url: `/api/chains/${open.id}/executions`, as: people[who] })
      return (reply.body as ChainRunSummary[]).map(({ executedBy }) => executedBy)
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

  test('Prompts and chains share one sequence of run ids (D31), and one limit of runs a minute.', async () => {
    // Nobody counted anything for this person before.
    const person = await library.registerUser()
    const limited = await library.startProcess({ runsPerMinute: 2 })
    const prompt = await library.createPrompt(person, { content: 'Hi' })
    const own = await library.buildChain(['one'], { as: person })
    const run = (url: string, body: object) => limited.request({ method: 'POST', url, body, as: person })
    expect((await run(`/api/chains/${own.id}/execute`, {})).status).toBe(201)
    expect((await run('/api/execute-prompt', { promptId: prompt.id, model: 'openai' })).status).toBe(200)
    const refused = await run(`/api/chains/${own.id}/execute`, {})
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((refused.body as Partial<StartedRun>).id).toBeUndefined()
    await limited.close()
  })
})

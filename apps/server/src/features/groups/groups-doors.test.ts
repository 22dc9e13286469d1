import type { Group, RunDetails, ScheduledRun } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../platform/models/retry.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import type { Library } from '../../testing/library.ts'
import { type Mcp, startMcp } from '../../testing/mcp.ts'
import { daily, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { Watcher } from '../../testing/watcher.ts'

const HOUR = 3_600_000

/** A group with the owner and the other person of a library, and how the other one leaves it and comes back. */
async function makeGroup({
  request,
  admin,
  owner,
  other,
}: Pick<Library, 'request' | 'admin' | 'owner' | 'other'>) {
  const names = [owner.user.username, other.user.username]
  const made = await request({
    ...{ method: 'POST', url: '/api/groups', as: admin },
    body: { name: 'Support', members: names },
  })
  expect(made.status, made.text).toBe(201)
  const { id } = made.body as Group
  const setMembers = async (usernames: string[]) => {
    const url = `/api/groups/${id}/members`
    const saved = await request({ method: 'PUT', url, body: { usernames }, as: admin })
    expect(saved.status, saved.text).toBe(200)
  }
  return {
    leave: () => setMembers([owner.user.username]),
    comeBack: () => setMembers(names),
    share: async (kind: 'prompt' | 'chain', recordId: number, role: 'viewer' | 'editor' = 'viewer') => {
      const url = `/api/${kind}s/${recordId}/shares`
      const saved = await request({ method: 'PUT', url, body: [{ group: 'Support', role }], as: owner })
      expect(saved.status, saved.text).toBe(200)
    },
  }
}

describe.each(routeDatabaseKinds)('tokens of someone who leaves a group, on %s', (kind) => {
  let server: Mcp
  let group: Awaited<ReturnType<typeof makeGroup>>
  beforeAll(async () => {
    server = await startMcp(kind)
    group = await makeGroup(server)
  })
  afterAll(() => server.close())
  beforeEach(() => server.fake.reset())

  test('A token of a person who left a group calls, fetches and lists nothing of what was shared with it alone.', async () => {
    const { other } = server
    const chain = await server.buildChain(['{{input}}'], { sharedLevel: 'shared', name: 'Parcel' })
    const prompt = await server.createPrompt(server.owner, { title: 'Refund' })
    // Who makes a chain’s own token may change it.
    await group.share('chain', chain.id, 'editor')
    await group.share('prompt', prompt.id)
    server.fake.replyByDefault({ text: 'ok' })

    const { token: called } = await server.createToken(chain.id, {}, other)
    const { token: best } = await server.createBestToken({ includedChainIds: [chain.id] }, other)
    const { token: reading } = await server.createReadToken([prompt.id], {}, other)
    const mcp = await server.createMcpToken({ chainIds: [chain.id], promptIds: [prompt.id] }, other)
    const client = await server.connect(mcp.token)
    const call = async (token: string) => {
      const body = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }
      return (await server.post('/v1/chat/completions', token, body)).status
    }
    const doors = async () => ({
      called: await call(called),
      best: await call(best),
      fetched: (await server.fetchPrompt(prompt.slug, reading)).status,
      prompts: (await client.listPrompts()).prompts.length,
      tools: (await client.listTools()).tools.filter(({ name }) => name.startsWith('chain_')).length,
    })
    const open = { called: 200, best: 200, fetched: 200, prompts: 1, tools: 1 }
    expect(await doors()).toEqual(open)
    await group.leave()
    expect(await doors()).toEqual({ called: 404, best: 404, fetched: 404, prompts: 0, tools: 0 })
    await group.comeBack()
    expect(await doors()).toEqual(open)
  })

  test('A name means what a group shares before what is public, and what is shared with everyone is as what is public.', async () => {
    const { owner, other, admin } = server
    await server.createPrompt(admin, { title: 'Tone check', isPublic: true })
    const shared = await server.createPrompt(owner, { title: 'Tone check' })
    const meant = async () => {
      const url = '/api/prompts/by-slug/tone-check'
      return ((await server.request({ url, as: other })).body as { owner: string }).owner
    }
    expect(await meant()).toBe('Adam')
    const url = `/api/prompts/${shared.id}/shares`
    const body = [{ group: 'everyone', role: 'viewer' }]
    await server.request({ method: 'PUT', url, body, as: owner })
    expect(await meant()).toBe('Adam')
    await group.share('prompt', shared.id)
    expect(await meant()).toBe('Olga')
  })

  test('An export has what groups share among what is shared, and no group’s name.', async () => {
    const { owner, other } = server
    const prompt = await server.createPrompt(owner, { content: 'A text that is shared.' })
    await group.share('prompt', prompt.id)
    const url = '/api/export?format=langfuse&ownership=shared'
    const read = async () => (await server.request({ url, as: other })).text
    expect(await read()).toContain('A text that is shared.')
    expect(await read()).not.toContain('Support')
    await group.leave()
    expect(await read()).not.toContain('A text that is shared.')
    await group.comeBack()
  })
})

describe.each(routeDatabaseKinds)('schedules of someone who leaves a group, on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())

  test('Nothing starts for a person who left the group by which they saw the chain; the reason is recorded.', async () => {
    const group = await makeGroup(library)
    const chain = await library.buildChain(['Write.'], { sharedLevel: 'shared' })
    await group.share('chain', chain.id)
    const made: ScheduledRun = await library.schedule(chain.id, daily, library.other)
    await group.leave()
    await library.pass(2 * HOUR)
    const occurrences = `select reason from scheduled_occurrences where scheduled_run_id = ${made.id}`
    const rows = async () => (await library.db.execute(occurrences)).rows
    await vi.waitFor(async () =>
      expect(await rows()).toEqual([{ reason: 'Oskar may no longer run the chain' }]),
    )
    expect(library.sent()).toEqual([])
  })
})

describe.each(routeDatabaseKinds)('runs of a chain that is shared with a group, on %s', (kind) => {
  let library: ChainLibrary
  let group: Awaited<ReturnType<typeof makeGroup>>
  let address: string
  beforeAll(async () => {
    library = await startChainLibrary(kind, { clock: systemClock })
    group = await makeGroup(library)
    address = await library.http.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const read = async (id: number, as: TestUser) => library.request({ url: `/api/executions/${id}`, as })

  test('Editors by a group see what others run, viewers don’t, and who leaves sees nothing.', async () => {
    const { owner, other } = library
    const chain = await library.buildChain(['one'], { sharedLevel: 'shared' })
    await group.share('chain', chain.id, 'editor')
    library.fake.replyByDefault({ text: 'The answer' })
    const id = await library.execute(chain.id, {}, owner)
    await library.ended(id)
    const seen = await read(id, other)
    expect([seen.status, (seen.body as RunDetails).executedBy]).toEqual([200, owner.user.username])
    await group.share('chain', chain.id, 'viewer')
    expect((await read(id, other)).status).toBe(404)
    await group.share('chain', chain.id, 'editor')
    expect((await read(id, other)).status).toBe(200)
    await group.leave()
    expect((await read(id, other)).status).toBe(404)
    await group.comeBack()
    expect((await read(id, other)).status).toBe(200)
  })

  test('A stream that is open ends as its watcher leaves the group by which they saw the run.', async () => {
    const { owner, other } = library
    const chain = await library.buildChain(['one'], { sharedLevel: 'shared' })
    await group.share('chain', chain.id, 'editor')
    library.fake.replyByDefault({ text: ['so far'], fault: 'silence' })
    const id = await library.execute(chain.id, {}, owner)
    const watcher = new Watcher(`${address}/api/executions/${id}/events`, other)
    await vi.waitFor(() => expect(watcher.events.length).toBeGreaterThan(0))
    const left = performance.now()
    await group.leave()
    await watcher.done
    expect(performance.now() - left).toBeLessThan(2_000)
    expect(watcher.events.map(({ event }) => event)).not.toContain('end')
    await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: owner })
    await group.comeBack()
  })
})

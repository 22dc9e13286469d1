import type { OwnedKind, Prompt, ScheduledRun } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../platform/models/retry.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestApp, TestUser } from '../../testing/harness.ts'
import type { Library } from '../../testing/library.ts'
import { type Mcp, startMcp } from '../../testing/mcp.ts'
import { daily, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { Watcher } from '../../testing/watcher.ts'

const HOUR = 3_600_000
const SECRET = 'Zebra-4711-Quartz'

/** From Olga to Oskar. */
async function handOver(
  { request, owner, other }: Pick<Library, 'request' | 'owner' | 'other'>,
  { kind, id, keep = 'nothing' }: { kind: OwnedKind; id: number; keep?: 'editor' | 'nothing' },
) {
  const url = `/api/${kind}s/${id}/owner`
  const body = { username: other.user.username, keep }
  const offered = await request({ method: 'POST', url, body, as: owner })
  expect(offered.status, offered.text).toBe(200)
  const accepted = await request({ method: 'POST', url: `${url}/accept`, as: other })
  expect(accepted.status, accepted.text).toBe(200)
}

describe.each(routeDatabaseKinds)('tokens and consents, as an owner becomes another, on %s', (kind) => {
  let server: Mcp
  let vera: TestUser
  beforeAll(async () => {
    server = await startMcp(kind)
    vera = await server.registerUser({ username: 'Vera' })
    for (const as of [vera, server.other])
      await server.createVariable(as, { name: 'client', content: SECRET })
  })
  afterAll(() => server.close())
  beforeEach(() => server.fake.reset())

  const send = async (as: TestUser, method: 'POST' | 'PUT', url: string, body: unknown) => {
    const reply = await server.request({ method, url, body, as })
    expect(reply.status, reply.text).toBeLessThan(300)
  }
  const shareWith = (of: OwnedKind, id: number) =>
    send(server.owner, 'PUT', `/api/${of}s/${id}/shares`, [{ username: 'Vera', role: 'editor' }])

  test('The lists of private names that may enter its text are emptied, whoever made them: of tokens, schedules and acceptances (D69).', async () => {
    const { owner, db } = server
    const prompt = await server.createPrompt(owner, { title: 'Dear', content: 'Dear $<client>' })
    const chain = await server.buildChain(['Dear $<client>'], { sharedLevel: 'shared' })
    const other = await server.createPrompt(owner, { title: 'Stays', content: '$<client>', isPublic: true })
    await shareWith('prompt', prompt.id)
    await shareWith('chain', chain.id)
    await send(vera, 'POST', '/api/prompt-acceptances', { promptIds: [prompt.id, other.id] })
    await send(vera, 'POST', '/api/chain-acceptances', { chainIds: [chain.id] })
    const { token } = await server.createReadToken([prompt.id, other.id], {}, vera)
    await server.createToken(chain.id, {}, vera)
    const scheduledTime = new Date(Date.now() + HOUR).toISOString()
    await send(vera, 'POST', `/api/chains/${chain.id}/schedule`, { scheduledTime, timeZone: 'UTC' })
    const fetched = async ({ slug }: Prompt) =>
      JSON.stringify(await (await server.fetchPrompt(`${slug}?resolve=true&label=latest`, token)).json())
    const lists = async () => {
      const { rows } = await db.execute<{ id: number }>(sql`
        select (fill ->> 'id')::integer as id from (
          select fills from api_tokens where created_by = ${vera.user.id}
          union all select fills from scheduled_runs where created_by = ${vera.user.id}
          union all select fills from prompt_acceptances where user_id = ${vera.user.id}
          union all select fills from chain_acceptances where user_id = ${vera.user.id}
        ) as lists cross join lateral jsonb_array_elements(fills) as fill order by 1`)
      return rows.map(({ id }) => id)
    }
    const of = (...ids: number[]) => ids.toSorted((a, b) => a - b)
    expect(await lists()).toEqual(of(prompt.id, prompt.id, other.id, other.id, chain.id, chain.id, chain.id))
    expect(await fetched(prompt)).toContain(SECRET)

    await handOver(server, { kind: 'prompt', id: prompt.id })
    expect(await lists()).toEqual(of(other.id, other.id, chain.id, chain.id, chain.id))
    await handOver(server, { kind: 'chain', id: chain.id })
    expect(await lists()).toEqual([other.id, other.id])
    expect(await fetched(prompt)).not.toContain(SECRET)
    expect(await fetched(other)).toContain(SECRET)
  })

  test('What the former owner named in a text counts as another’s for the new owner: their own private value waits to be allowed.', async () => {
    const { owner, other } = server
    const prompt = await server.createPrompt(owner, { title: 'Named', content: 'Dear $<client>' })
    await handOver(server, { kind: 'prompt', id: prompt.id })
    const body = { promptId: prompt.id, model: 'custom' }
    const refused = await server.request({ method: 'POST', url: '/api/execute-prompt', body, as: other })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'private_values' }])
    const token = await server.createMcpToken({ allPrompts: true }, owner)
    const names = (await (await server.connect(token.token)).listPrompts()).prompts.map(({ name }) => name)
    expect(names).not.toContain(prompt.slug)
  })

  test('The former owner’s tokens and agents reach what an offer leaves them, as one with whom it is shared or not at all.', async () => {
    const { owner } = server
    server.fake.replyByDefault({ text: 'ok' })
    for (const keep of ['editor', 'nothing'] as const) {
      const chain = await server.buildChain(['{{input}}'], { sharedLevel: 'shared', name: `Parcel ${keep}` })
      const prompt = await server.createPrompt(owner, { title: `Refund ${keep}` })
      const { token: called } = await server.createToken(chain.id, {})
      const { token: best } = await server.createBestToken({ includedChainIds: [chain.id] })
      const { token: reading } = await server.createReadToken([prompt.id])
      const mcp = await server.createMcpToken({ chainIds: [chain.id], promptIds: [prompt.id] })
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
      await handOver(server, { kind: 'chain', id: chain.id, keep })
      await handOver(server, { kind: 'prompt', id: prompt.id, keep })
      const none = { called: 404, best: 404, fetched: 404, prompts: 0, tools: 0 }
      expect(await doors()).toEqual(keep === 'editor' ? open : none)
    }
  })
})

describe.each(routeDatabaseKinds)('schedules of a former owner, on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())

  test('Nothing starts for a former owner who no longer sees the chain; the reason is recorded.', async () => {
    const chain = await library.buildChain(['Write.'])
    const made: ScheduledRun = await library.schedule(chain.id, daily)
    await handOver(library, { kind: 'chain', id: chain.id })
    await library.pass(2 * HOUR)
    const occurrences = `select reason from scheduled_occurrences where scheduled_run_id = ${made.id}`
    const rows = async () => (await library.db.execute(occurrences)).rows
    await vi.waitFor(async () =>
      expect(await rows()).toEqual([{ reason: 'Olga may no longer run the chain' }]),
    )
    expect(library.sent()).toEqual([])
  })
})

describe.each(routeDatabaseKinds)(
  'streams and other processes, as an owner becomes another, on %s',
  (kind) => {
    let library: ChainLibrary
    let beside: TestApp
    let address: string
    beforeAll(async () => {
      library = await startChainLibrary(kind, { clock: systemClock })
      beside = await library.startProcess()
      address = await beside.http.listen({ host: '127.0.0.1', port: 0 })
    })
    afterAll(async () => {
      await beside.close()
      await library.close()
    })

    test('Another owner is the owner in every process at once, and an open stream ends for whoever no longer sees the run.', async () => {
      const { owner, other } = library
      const vera = await library.registerUser({ username: 'Vera' })
      const chain = await library.buildChain(['one'], { sharedLevel: 'shared' })
      const prompt = await library.createPrompt(owner)
      const shares = { url: `/api/chains/${chain.id}/shares`, body: [{ username: 'Vera', role: 'viewer' }] }
      await library.request({ method: 'PUT', ...shares, as: owner })
      library.fake.replyByDefault({ text: ['so far'], fault: 'silence' })
      const id = await library.execute(chain.id, {}, vera)
      const watcher = new Watcher(`${address}/api/executions/${id}/events`, owner)
      await vi.waitFor(() => expect(watcher.events.length).toBeGreaterThan(0))
      const statuses = async (as: TestUser) => {
        const urls = [`/api/prompts/${prompt.id}`, `/api/chains/${chain.id}`, `/api/executions/${id}`]
        return Promise.all(urls.map(async (url) => (await beside.request({ url, as })).status))
      }
      expect([await statuses(owner), await statuses(other)]).toEqual([
        [200, 200, 200],
        [404, 404, 404],
      ])
      await handOver(library, { kind: 'prompt', id: prompt.id })
      await handOver(library, { kind: 'chain', id: chain.id })
      expect([await statuses(owner), await statuses(other)]).toEqual([
        [404, 404, 404],
        [200, 200, 200],
      ])
      await watcher.done
      expect(watcher.events.map(({ event }) => event)).not.toContain('end')
      await library.request({ method: 'POST', url: `/api/executions/${id}/cancel`, as: vera })
    })
  },
)

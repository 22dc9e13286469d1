import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain, ExecutePromptReply, Prompt, PromptRun, RunState, StartedRun } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { queryDatabase } from '../apps/server/src/testing/query-database.ts'
import { Watcher } from '../apps/server/src/testing/watcher.ts'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { type RunningPooler, startPgBouncer } from './harness/pgbouncer.ts'
import { seedAccount } from './harness/seed.ts'
import { launchProgram, type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const STATEMENT_LIMIT_MS = 15_000

const SECRET_KEY = 'shared by all processes of this instance'
const AT_ONCE = 60
const LISTS = [
  '/api/prompts',
  '/api/chains',
  '/api/variables',
  '/api/categories',
  '/api/prompts?search=welcome',
]
const POOLERS = [
  { mode: 'session', stands: 'There is a pooler that keeps each session for one client' },
  {
    mode: 'transaction',
    stands: 'There is a pooler that lends its sessions for one transaction at a time',
  },
] as const

let provider: FakeProvider
let folder: string
beforeAll(async () => {
  provider = await startFakeProvider({ vendor: 'openai' })
  folder = await mkdtemp(join(tmpdir(), 'catenary-pooler-'))
}, 120_000)
afterAll(async () => {
  await provider?.close()
  await rm(folder, { recursive: true, force: true })
})

/** What doctor says of the database, a line each. */
async function askDoctor(server: RunningServer, env: Record<string, string>): Promise<string> {
  const { out } = await runCommand(['doctor'], { dataDir: server.dataDir, env: { SECRET_KEY, ...env } })
  return /^Database\n((?: .*\n)+)/m.exec(out)?.[1] ?? out
}

describe.each(POOLERS)('two processes through a pooler by $mode', ({ mode, stands }) => {
  let databaseUrl: string
  let pooler: RunningPooler
  let servers: RunningServer[] = []
  let api: Api
  let env: Record<string, string>
  beforeAll(async () => {
    databaseUrl = await createServerDatabase({ migrated: false })
    pooler = await startPgBouncer(databaseUrl, { mode })
    env = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: databaseUrl,
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: provider.url,
    }
    // Both find an empty database, and one of them migrates it.
    servers = await Promise.all(
      ['web', 'worker'].map((ROLE) => startServer({ env: { ...env, SECRET_KEY, ROLE } })),
    )
    api = createApi(servers[0]?.url ?? '')
    await api.post('/api/register', seedAccount)
  }, 240_000)
  afterAll(async () => {
    for (const server of servers) await server.dispose()
    await pooler?.close()
  })
  const onFailure = () => {
    for (const server of servers) showLogsOnFailure(server)
  }
  const web = () => servers[0] as RunningServer

  test('migrate once, say what stands between, and do the main job', async () => {
    onFailure()
    expect(web().logs()).toContain('There is a pooler in front of the database')
    const category = await api.post<{ id: number }>('/api/categories', { name: 'Customers' })
    await api.post('/api/variables', { name: 'tone', type: 'text', content: 'warm' })
    const prompt = await api.post<Prompt>('/api/prompts', {
      title: 'Welcome',
      content: 'Write a $<tone> welcome for $<customer>.',
      categoryId: category.id,
    })
    provider.replyByDefault({ text: 'Welcome, Ada.' })
    const run = { promptId: prompt.id, model: 'openai', variables: { customer: 'Ada' } }
    const { result, executionId } = await api.post<ExecutePromptReply>('/api/execute-prompt', run)
    expect(result).toBe('Welcome, Ada.')
    const history = await api.get<PromptRun[]>(`/api/prompts/${prompt.id}/executions`)
    expect(history).toMatchObject([{ id: executionId, aiResponse: result }])
  })

  test('a chain that the worker runs is followed on the web process, word by word', async () => {
    onFailure()
    const { id } = await api.post<Chain>('/api/chains', { name: 'Two steps' })
    for (const [position, content] of ['one {{input}}', 'two {{a}}'].entries()) {
      const step = { content, outputVariableName: position === 0 ? 'a' : 'b', position, model: 'openai' }
      await api.post(`/api/chains/${id}/steps`, step)
    }
    provider.replyByDefault({ text: ['All ', 'of ', 'it'], delayMs: 400 })
    const started = await api.post<StartedRun>(`/api/chains/${id}/execute`, { input: 'go' })
    const cookie = api.cookies().map(({ name, value }) => `${name}=${value}`)
    const watcher = new Watcher(`${web().url}/api/executions/${started.id}/events`, {
      headers: { cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin' },
    })
    await watcher.done
    expect(watcher.events.at(-1)).toEqual({ event: 'end', data: { status: 'completed' } })
    expect([watcher.text(0), watcher.text(1)]).toEqual(['All of it', 'All of it'])
    expect(watcher.events.filter(({ event }) => event === 'delta').length).toBeGreaterThan(2)
    const state = await api.get<RunState>(`/api/executions/${started.id}/status`)
    expect(state.status).toBe('completed')
  })

  test('Two processes work through PgBouncer by session and by transaction: prompts and chains run, text is followed across them, and 60 lists at once are answered. One by statement is refused.', async () => {
    onFailure()
    for (let round = 0; round < 3; round += 1) {
      const calls = Array.from({ length: AT_ONCE }, (_, index) =>
        api.call('GET', LISTS[index % LISTS.length] ?? ''),
      )
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses).toEqual(Array.from({ length: AT_ONCE }, () => 200))
    }
  })

  test('Statements are sent without names where a pooler does not keep names, which is proven at each start.', async () => {
    onFailure()
    await pooler.reconnect()
    expect(await queryDatabase(pooler.url, 'show statement_timeout')).toEqual([
      { statement_timeout: `${STATEMENT_LIMIT_MS / 1000}s` },
    ])
    const long = queryDatabase(pooler.url, `select pg_sleep(${(4 * STATEMENT_LIMIT_MS) / 1000})`)
    await expect(long).rejects.toMatchObject({ code: '57014' })
  })

  test('doctor says what stands between, and that nothing is lost by it', async () => {
    onFailure()
    const said = await askDoctor(web(), env)
    expect(said).toContain(`ok         ${stands}`)
    expect(said).toContain('ok         Notifications arrive')
    expect(said).toContain(`ok         Statements end after ${STATEMENT_LIMIT_MS / 1000} s`)
    // A busy machine may well be slow.
    expect(said.replace(/^.*It answers in.*$/m, '')).not.toMatch(/^ +(problem|warning)/m)
    expect(await askDoctor(web(), { DATABASE_URL: databaseUrl })).toMatch(/^ +ok +There is no pooler$/m)
  })
})

describe('a pooler by transaction without DATABASE_DIRECT_URL', () => {
  let pooler: RunningPooler
  beforeAll(async () => {
    pooler = await startPgBouncer(await createServerDatabase(), { mode: 'transaction' })
  }, 240_000)
  afterAll(() => pooler?.close())

  test('That notifications arrive is proven at the start and each minute. Where they don’t, no rows are kept in memory, and `/readyz` and the log say what to set.', async () => {
    const port = await freePort()
    const env = { DATABASE_URL: pooler.url, SECRET_KEY, PORT: String(port), LOG_LEVEL: 'warn' }
    const child = launchProgram({ env, cwd: folder })
    let log = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (log += chunk.toString()))
    try {
      await vi.waitFor(
        async () => {
          const reply = await fetch(`http://127.0.0.1:${port}/readyz`)
          expect(reply.status).toBe(503)
          expect(await reply.json()).toEqual({
            error: expect.stringMatching(/^Not ready: listener \(.*Set DATABASE_DIRECT_URL to/),
          })
        },
        { timeout: 60_000, interval: 200 },
      )
      const warned = log.split('\n').filter((line) => /Set DATABASE_DIRECT_URL.*no rows are kept/.test(line))
      expect(warned).toHaveLength(1)
      // People are served all the same: nothing but news from other processes is missing.
      expect((await fetch(`http://127.0.0.1:${port}/api/instance`)).status).toBe(200)
    } finally {
      child.kill('SIGKILL')
    }
    const { out } = await runCommand(['doctor'], { dataDir: folder, env })
    expect(out).toMatch(
      /^ +problem +Notifications of other processes don’t arrive: DATABASE_URL leads to a pooler/m,
    )
    expect(out).toMatch(/^ +\d\. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself\.$/m)
  })
})

test('a pooler that lends a session for one statement is refused', async () => {
  const databaseUrl = await createServerDatabase()
  const pooler = await startPgBouncer(databaseUrl, { mode: 'statement' })
  try {
    const env = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl, SECRET_KEY }
    const { code, err } = await runCommand(['backup', 'copy.catenary'], { dataDir: folder, env })
    expect([code, err]).toEqual([1, expect.stringContaining('Set its pool_mode to transaction or session')])
  } finally {
    await pooler.close()
  }
})

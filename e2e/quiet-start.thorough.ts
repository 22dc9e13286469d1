import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain, ModelProvider, Prompt, Variable } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { startFakeGoogle } from '../apps/server/src/testing/fake-google/fake-google.ts'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const PATIENCE_MS = 300_000
/** Several times what jobs, schedules and runs that are due wait at a start. */
const QUIET_MS = 10_000
const SECRET_KEY = 'a-key-for-quiet-starts-of-more-than-32-characters'
const DAY_MS = 86_400_000

/** Everything outside: model, mail server, collector, what a variable fetches. It takes every call, counts it, and says nothing. */
let calls = 0
const held = new Set<Socket>()
const outside = createServer((socket) => {
  calls += 1
  held.add(socket.on('error', () => {}))
})

let google: Awaited<ReturnType<typeof startFakeGoogle>>
let place: string
let env: Record<string, string>
let port: number
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'quiet-'))
  google = await startFakeGoogle()
  google.addFiles({ id: 'plan', name: 'Plan', mimeType: 'text/plain', content: 'Be kind.' })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  port = (outside.address() as AddressInfo).port
  env = {
    SECRET_KEY,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'catenary@example.org',
    OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    FETCH_ALLOW_HOSTS: `127.0.0.1:${port}`,
    ...google.env,
  }
})
afterAll(async () => {
  for (const socket of held) socket.destroy()
  outside.close()
  await google?.close()
  await rm(place, { recursive: true, force: true })
})

/** Through Google's consent and back, as a browser goes. */
async function connectDrive(api: Api, url: string): Promise<void> {
  const cookie = api
    .cookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const follow = async (address: string, site: string) => {
    const headers = { cookie, 'sec-fetch-site': site }
    const reply = await fetch(address, { headers, redirect: 'manual' })
    return reply.headers.get('location') ?? ''
  }
  const consent = await follow(`${url}/api/auth/google`, 'same-origin')
  const { pathname, search } = new URL(await follow(consent, 'cross-site'))
  await follow(url + pathname + search, 'cross-site')
  expect(await api.get('/api/auth/google/status')).toMatchObject({ authenticated: true })
}

/** A trace that waits for its collector, a model outside, a run that waits for it, a schedule, and variables that are fetched. */
async function makeOriginal(): Promise<string> {
  const server = await startServer({ env, dataDir: join(place, 'original') })
  try {
    const api = createApi(server.url)
    await api.post('/api/register', seedAccount)
    await connectDrive(api, server.url)
    await api.post('/api/variables', { name: 'rates', type: 'api', apiUrl: `http://127.0.0.1:${port}/rates` })
    const file = { googleDriveFileId: 'plan', googleDriveFileName: 'Plan' }
    await api.post('/api/variables', { name: 'plan', type: 'googleDrive', ...file })
    const { id: promptId } = await api.post<Prompt>('/api/prompts', {
      title: 'Kept',
      content: 'Words',
      categoryId: 1,
    })
    await api.post('/api/execute-prompt', { promptId })
    await expect.poll(() => calls, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
    const away = { kind: 'compatible', baseUrl: `http://127.0.0.1:${port}/v1`, allowsPrivateAddress: true }
    const provider = await api.post<ModelProvider>('/api/admin/providers', {
      ...away,
      name: 'Outside',
      apiKey: 'key',
    })
    const model = { alias: 'away', label: 'Away', providerId: provider.id, modelId: 'm' }
    await api.post('/api/admin/models', model)
    const { id } = await api.post<Chain>('/api/chains', { name: 'Digest' })
    const step = { position: 0, content: 'Sum it up', model: 'away', outputVariableName: 'sum' }
    await api.post(`/api/chains/${id}/steps`, step)
    const scheduledTime = new Date(Date.now() + DAY_MS).toISOString()
    await api.post(`/api/chains/${id}/schedule`, { scheduledTime })
    calls = 0
    await api.post(`/api/chains/${id}/execute`, {})
    await expect.poll(() => calls, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
  } finally {
    await server.kill()
  }
  return server.dataDir
}

async function withDatabase<T>(dataDir: string, use: (query: Query) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir, fsync: false })
  try {
    return await use(async (text) => (await database.pool.query(text)).rows)
  } finally {
    await database.close()
  }
}
type Query = (text: string) => Promise<object[]>

const PENDING = `
  select (select count(*)::integer from executions where status = 'running') as runs,
    (select count(*)::integer from scheduled_runs where active and next_due_at < now()) as schedules,
    (select count(*)::integer from mail_recipients where status = 'pending') as mails,
    (select count(*)::integer from jobs where queue in ('mails', 'schedules')) as jobs,
    (select count(*)::integer from jobs where queue = 'run-ended:traces') as traces`
const WAITING = [{ runs: 1, schedules: 1, mails: 1, jobs: 2, traces: 1 }]

const MAKE_DUE = [
  `update scheduled_runs set next_due_at = now() - interval '1 hour'`,
  `update jobs set run_at = now() - interval '1 hour', next_at = now()
    where queue in ('schedules', 'run-ended:traces')`,
  `with mail as (
      insert into mails (user_id, key, letter)
      select id, 'pending', '{"subject": "Hello", "paragraphs": ["Hello"], "markdown": "", "links": []}' from users
      returning id
    ), recipient as (
      insert into mail_recipients (mail_id, address, status, queued_at)
      select mail.id, users.email, 'pending', now() from mail, users returning id
    )
    insert into jobs (queue, key, payload)
    select 'mails', id::text, json_build_object('recipientId', id) from recipient`,
]

/** In the copy: signs in, and asks what would go out. */
async function ask({ url }: RunningServer): Promise<Api> {
  const api = createApi(url)
  const { username, password } = seedAccount
  await api.post('/api/login', { username, password })
  expect((await api.get<Prompt[]>('/api/prompts')).map(({ title }) => title)).toEqual(['Kept'])
  const [provider] = await api.get<ModelProvider[]>('/api/admin/providers')
  const listed = await api.call('POST', `/api/admin/providers/${provider?.id}/list-models`)
  expect(JSON.stringify(listed.body)).toContain('reaches nobody')
  expect(await api.post('/api/admin/models/away/test')).toMatchObject({ ok: true })
  expect(await api.post('/api/admin/mail/test')).toMatchObject({ ok: false })
  for (const { id, name } of await api.get<Variable[]>('/api/variables')) {
    const content = await api.call('GET', `/api/variables/${id}/preview`)
    expect(JSON.stringify(content.body), name).toMatch(/reaches nobody|Google could not be reached/)
  }
  expect((await api.call('GET', '/api/google-drive/files')).status).toBe(502)
  return api
}

/** Starts the program on the copy and waits until it called what is outside. */
async function expectToReach(dataDir: string, args: string[]): Promise<void> {
  calls = 0
  const copy = await startServer({ env, dataDir, args })
  try {
    await expect.poll(() => calls, { timeout: PATIENCE_MS }).toBeGreaterThan(2)
  } finally {
    await copy.kill()
  }
}

test(
  'nothing leaves a restored copy that starts, whatever was pending, until its work is resumed',
  async () => {
    await mkdir(join(place, 'original'))
    const original = await makeOriginal()
    await withDatabase(original, async (query) => {
      for (const text of MAKE_DUE) await query(text)
      expect(await query(PENDING)).toEqual(WAITING)
    })
    const file = join(place, 'copy.catenary')
    expect(await runCommand(['backup', file], { dataDir: original, env })).toMatchObject({ code: 0 })
    const dataDir = join(place, 'copy')
    await mkdir(dataDir)
    expect(await runCommand(['restore', file], { dataDir, env })).toMatchObject({ code: 0 })

    const other = join(place, 'other')
    await cp(dataDir, other, { recursive: true })

    calls = 0
    const asked = google.journal.length
    const copy = await startServer({ env, dataDir })
    try {
      const api = await ask(copy)
      await sleep(QUIET_MS)
      await api.post('/api/admin/resume-work')
      // What was built without a way out has none until the next start.
      await sleep(QUIET_MS)
    } finally {
      await copy.stop()
    }
    expect({ calls, ofGoogle: google.journal.length - asked }).toEqual({ calls: 0, ofGoogle: 0 })
    expect(await withDatabase(dataDir, (query) => query(PENDING))).toEqual(WAITING)

    await expectToReach(dataDir, [])
    await expectToReach(other, ['start', '--resume-work'])
  },
  PATIENCE_MS,
)

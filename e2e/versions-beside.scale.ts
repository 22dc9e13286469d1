import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chain, CreatedChainToken, Prompt, RunDetails, StartedRun } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from './harness/api.ts'
import { root } from './harness/package.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, type ServerOptions, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'
import { checkOutVersionBefore } from './harness/version-before.ts'

const TIMEOUT_MS = 600_000
const PIECES = ['One ', 'piece ', 'after ', 'another.']

interface Version {
  web: RunningServer
  worker: RunningServer
}

let checkout: Awaited<ReturnType<typeof checkOutVersionBefore>>
let provider: FakeProvider
let before: Version
let now: Version
let chainId: number
let promptId: number
let token: string
/** Whether text under way gets from one version to the other. */
let sharesLiveText: boolean

const api = (server: RunningServer): Api => createApi(server.url)
async function signIn(server: RunningServer): Promise<Api> {
  const caller = api(server)
  await caller.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
  return caller
}

beforeAll(async () => {
  checkout = await checkOutVersionBefore()
  sharesLiveText = (await readVersionBefore()).sharesLiveText
  provider = await startFakeProvider({ vendor: 'openai' })
  provider.replyByDefault(() => ({ text: PIECES, delayMs: 50 }))
  const env = {
    DATABASE_URL: await createServerDatabase({ migrated: false }),
    SECRET_KEY: 'shared by all processes of this instance',
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: provider.url,
    LOG_LEVEL: 'warn',
  }
  const start = (role: string, options: ServerOptions = {}) =>
    startServer({ env: { ...env, ROLE: role }, ...options })
  const { program } = checkout
  before = { web: await start('web', { program }), worker: await start('worker', { program }) }
  const admin = api(before.web)
  await admin.post('/api/register', seedAccount)
  promptId = (await admin.post<Prompt>('/api/prompts', { title: 'Note', content: 'Be kind.', categoryId: 1 }))
    .id
  chainId = (await admin.post<Chain>('/api/chains', { name: 'Both' })).id
  for (const [position, content] of ['First: {{input}}', 'Second: {{a}}'].entries())
    await admin.post(`/api/chains/${chainId}/steps`, {
      content,
      position,
      outputVariableName: 'ab'[position],
    })
  token = (await admin.post<CreatedChainToken>('/api/tokens', { name: 'Both', chainId })).token
  // The first of them migrates, while those of the version before serve.
  now = { worker: await start('worker'), web: await start('web') }
}, TIMEOUT_MS)
afterAll(async () => {
  for (const version of [before, now])
    for (const server of [version?.web, version?.worker]) await server?.dispose()
  await provider?.close()
  await checkout?.remove()
})

const readVersionBefore = async () =>
  JSON.parse(await readFile(join(root, 'scripts/version-before.json'), 'utf8'))

/** As long as it lasts, only this one of the two workers is awake. */
async function withOnly(awake: RunningServer, asleep: RunningServer, use: () => Promise<void>) {
  for (const server of [awake, asleep]) showLogsOnFailure(server)
  process.kill(asleep.pid(), 'SIGSTOP')
  try {
    await use()
  } finally {
    process.kill(asleep.pid(), 'SIGCONT')
  }
}

/** A chain run that one version starts and shows while a worker of the other runs it. */
async function mainJob(web: RunningServer): Promise<void> {
  const caller = await signIn(web)
  const headers = {
    cookie: caller
      .cookies()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; '),
  }
  const called = provider.journal.length
  const { id } = await caller.post<StartedRun>(`/api/chains/${chainId}/execute`, { input: 'bridges' })
  const events = await (await fetch(`${web.url}/api/executions/${id}/events`, { headers })).text()
  // Otherwise it shows states and, at the end, the whole text.
  expect(events.includes('event: delta')).toBe(sharesLiveText)
  expect(events).toContain('event: end')
  const run = await caller.get<RunDetails>(`/api/executions/${id}`)
  expect(run).toMatchObject({ status: 'completed', completedSteps: 2, output: PIECES.join('') })
  expect(provider.journal.length - called).toBe(2)

  provider.reply({ text: ['half'], fault: 'silence' })
  const stuck = await caller.post<StartedRun>(`/api/chains/${chainId}/execute`, { input: 'tunnels' })
  await expect.poll(() => provider.journal.length).toBe(called + 3)
  await caller.post(`/api/executions/${stuck.id}/cancel`)
  await expect
    .poll(async () => (await caller.get<RunDetails>(`/api/executions/${stuck.id}`)).status, {
      timeout: 10_000,
    })
    .toBe('cancelled')

  const soon = {
    scheduledTime: new Date(Date.now() + 1_500).toISOString(),
    timeZone: 'UTC',
    isRecurring: false,
  }
  const schedule = await caller.post<{ id: number }>(`/api/chains/${chainId}/schedule`, {
    ...soon,
    input: 'dams',
  })
  await expect
    .poll(async () => (await caller.get<{ status: string }>(`/api/scheduled-runs/${schedule.id}`)).status, {
      timeout: 20_000,
    })
    .toBe('completed')

  const reply = await fetch(`${web.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'locks' }] }),
  })
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining(PIECES.join(''))])
}

test(
  'a web process of the version before and a worker of this one do the main job together',
  () => withOnly(now.worker, before.worker, () => mainJob(before.web)),
  TIMEOUT_MS,
)

test(
  'so do a web process of this version and a worker of the one before, after the migration',
  () => withOnly(before.worker, now.worker, () => mainJob(now.web)),
  TIMEOUT_MS,
)

test('A version runs beside the one before, on one database: runs, stops, schedules, calls and changes pass between them.', async () => {
  const [older, newer] = [await signIn(before.web), await signIn(now.web)]
  for (const [writes, reads, content] of [
    [older, newer, 'Written before.'],
    [newer, older, 'Written now.'],
  ] as const) {
    // Both have it in memory.
    for (const caller of [writes, reads]) await caller.get(`/api/prompts/${promptId}`)
    const saved = await writes.call('PUT', `/api/prompts/${promptId}`, {
      title: 'Note',
      content,
      categoryId: 1,
    })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    await expect
      .poll(async () => (await reads.get<Prompt>(`/api/prompts/${promptId}`)).content, { timeout: 5_000 })
      .toBe(content)
  }
})

/** What the journal of a version’s migrations says of each. */
async function readJournal(migrations: string): Promise<{ tag: string; when: number }[]> {
  return JSON.parse(await readFile(join(migrations, 'meta/_journal.json'), 'utf8')).entries
}

test('the two are the versions that they are to be: the checkout’s last migration is the one that is named, by when it was written', async () => {
  const { lastMigration } = await readVersionBefore()
  const own = await readJournal(join(root, 'apps/server/src/database/migrations'))
  // Where the version before has them.
  const [last] = (await readJournal(join(checkout.program, '../db/migrations'))).slice(-1)
  expect(last?.when).toBe(own.find(({ tag }) => tag === lastMigration)?.when)
  const versions = [before.web, now.web].map(async ({ url }) => (await fetch(`${url}/healthz`)).json())
  const [older, newer] = await Promise.all(versions)
  expect(older).not.toEqual(newer)
})

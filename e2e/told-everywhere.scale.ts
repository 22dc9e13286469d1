import type {
  Chain,
  CreatedChainToken,
  CreatedReadToken,
  Group,
  Prompt,
  StartedRun,
  User,
} from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectTo } from '../apps/server/src/testing/connect.ts'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import {
  type FakeProvider,
  startFakeProvider,
} from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { Watcher } from '../apps/server/src/testing/watcher.ts'
import { type Api, createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

/** What the other process is to have noticed by then. */
const SOON = { timeout: 5_000, interval: 20 }
/** A listener that was cut is back after a tenth of a second. */
const CUT_EVERY_MS = 20
const GUEST = { username: 'grace', email: 'grace@example.org', password: 'another-secret-1' }

let provider: FakeProvider
let databaseUrl: string
let here: RunningServer
let there: RunningServer
let admin: Api
let chainId: number
beforeAll(async () => {
  provider = await startFakeProvider({ vendor: 'openai' })
  databaseUrl = await createServerDatabase()
  const env = {
    ...{ DATABASE_URL: databaseUrl, SECRET_KEY: 'shared by all processes of this instance' },
    ...{ OPENAI_API_KEY: 'key', OPENAI_BASE_URL: provider.url, LOG_LEVEL: 'warn' },
  }
  ;[here, there] = await Promise.all([startServer({ env }), startServer({ env })])
  admin = createApi(here.url)
  await admin.post('/api/register', seedAccount)
  chainId = (await admin.post<Chain>('/api/chains', { name: 'Told' })).id
  await admin.post(`/api/chains/${chainId}/steps`, { content: '{{input}}', outputVariableName: 'a' })
})
afterAll(async () => {
  await here?.dispose()
  await there?.dispose()
  await provider?.close()
})

/** Ends the connections on which the processes listen as soon as they are back, until the test is over. */
async function keepListenersCut(): Promise<void> {
  const client = await connectTo(databaseUrl)
  const end = async () => {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'catenary listener%'`,
    )
    return rowCount ?? 0
  }
  expect(await end()).toBeGreaterThan(0)
  let cutting: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    cutting = cutting.then(end)
  }, CUT_EVERY_MS)
  onTestFinished(async () => {
    clearInterval(timer)
    await cutting
    await client.end()
  })
}

describe.each([
  { while: 'while all listen', prepare: async () => {} },
  { while: 'while no process can listen', prepare: keepListenersCut },
])('$while', ({ prepare }) => {
  test('a token that is revoked in one process is refused by the other', async () => {
    const made = await admin.post<CreatedChainToken>('/api/tokens', { name: 'Told', chainId })
    const ask = async () => {
      const reply = await fetch(`${there.url}/v1/models`, {
        headers: { authorization: `Bearer ${made.token}` },
      })
      await reply.text()
      return reply.status
    }
    expect(await ask()).toBe(200)
    await prepare()
    expect(await ask()).toBe(200)
    expect((await admin.call('DELETE', `/api/tokens/${made.id}`)).status).toBe(204)
    await expect.poll(ask, SOON).toBe(401)
  })

  test('an account that is disabled in one process is signed out of the other', async () => {
    const username = `${GUEST.username}-${prepare === keepListenersCut}`
    const guest = createApi(there.url)
    const { id } = await guest.post<User>('/api/register', {
      ...GUEST,
      username,
      email: `${username}@example.org`,
    })
    const ask = async () => (await guest.call('GET', '/api/read-tokens')).status
    expect(await ask()).toBe(200)
    await prepare()
    expect(await ask()).toBe(200)
    const disabled = await admin.call('PATCH', `/api/admin/users/${id}`, { disabled: true })
    expect(disabled.status, JSON.stringify(disabled.body)).toBe(200)
    await expect.poll(ask, SOON).toBe(401)
  })

  test('who is taken out of a group in one process sees nothing of it in the other, and their stream ends', async () => {
    const isCut = prepare === keepListenersCut
    const name = `told-${isCut}`
    const guest = createApi(there.url)
    await guest.post<User>('/api/register', { ...GUEST, username: name, email: `${name}@example.org` })
    const group = await admin.post<Group>('/api/groups', { name: `Told ${isCut}`, members: [name] })
    const chain = await admin.post<Chain>('/api/chains', { name: `Told ${isCut}` })
    const step = { content: '{{input}}', outputVariableName: 'a', model: 'openai' }
    await admin.post(`/api/chains/${chain.id}/steps`, step)
    const level = await admin.call('PATCH', `/api/chains/${chain.id}`, { sharedLevel: 'shared' })
    expect(level.status, JSON.stringify(level.body)).toBe(200)
    const shares = [{ group: group.name, role: 'viewer' }]
    expect((await admin.call('PUT', `/api/chains/${chain.id}/shares`, shares)).status).toBe(200)
    provider.reply({ text: ['so far'], fault: 'silence' })
    const run = await guest.post<StartedRun>(`/api/chains/${chain.id}/execute`, { input: 'x' })
    const see = async () => (await guest.call('GET', `/api/chains/${chain.id}`)).status
    expect(await see()).toBe(200)
    const cookie = guest
      .cookies()
      .map((one) => `${one.name}=${one.value}`)
      .join('; ')
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const stream = new Watcher(`${there.url}/api/executions/${run.id}/events`, { headers })
    await expect.poll(() => stream.events.length, SOON).toBeGreaterThan(0)
    await prepare()
    expect(await see()).toBe(200)
    const left = await admin.call('PUT', `/api/groups/${group.id}/members`, { usernames: [] })
    expect(left.status, JSON.stringify(left.body)).toBe(200)
    const begun = performance.now()
    await stream.done
    expect(performance.now() - begun).toBeLessThan(2_000)
    expect(stream.events.map(({ event }) => event)).not.toContain('end')
    await expect.poll(see, SOON).toBe(404)
    await admin.call('DELETE', `/api/chains/${chain.id}`)
  })

  test('a label that is moved in one process leads to the other version in the other', async () => {
    const body = { title: `Moved ${prepare === keepListenersCut}`, content: 'One.', categoryId: 1 }
    const prompt = await admin.post<Prompt>('/api/prompts', body)
    await admin.call('PUT', `/api/prompts/${prompt.id}`, { ...body, content: 'Two.' })
    const move = async (version: number, expectedVersion: number | null) => {
      const url = `/api/prompts/${prompt.id}/labels/production`
      const reply = await admin.call('PUT', url, { version, expectedVersion })
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    }
    await move(1, null)
    const reader = await admin.post<CreatedReadToken>('/api/read-tokens', {
      name: 'Told',
      promptIds: [prompt.id],
    })
    const authorization = `Basic ${Buffer.from(`pk-any:${reader.token}`).toString('base64')}`
    const read = async () => {
      const reply = await fetch(`${there.url}/api/public/v2/prompts/${prompt.slug}`, {
        headers: { authorization },
      })
      return ((await reply.json()) as { prompt?: string }).prompt
    }
    expect(await read()).toBe('One.')
    await prepare()
    expect(await read()).toBe('One.')
    await move(2, 1)
    await expect.poll(read, SOON).toBe('Two.')
  })
})

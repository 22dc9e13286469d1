import type { ExecutePromptReply, Prompt, PromptRun } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { type Api, createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

let web: RunningServer
let worker: RunningServer
let api: Api
beforeAll(async () => {
  const env = {
    DATABASE_URL: await createServerDatabase(),
    SECRET_KEY: 'shared by all processes of this instance',
  }
  ;[web, worker] = await Promise.all([
    startServer({ env: { ...env, ROLE: 'web' } }),
    startServer({ env: { ...env, ROLE: 'worker' } }),
  ])
  api = createApi(web.url)
})
afterAll(async () => {
  await web.dispose()
  await worker.dispose()
})

test('on PostgreSQL a web and a worker process do the main job together, and keep it over a restart', async () => {
  showLogsOnFailure(web)
  showLogsOnFailure(worker)
  expect(await api.post('/api/register', seedAccount)).toMatchObject({ role: 'admin' })
  const category = await api.post<{ id: number }>('/api/categories', { name: 'Customers' })
  await api.post('/api/variables', { name: 'tone', type: 'text', content: 'warm' })
  const prompt = await api.post<Prompt>('/api/prompts', {
    title: 'Welcome',
    content: 'Write a $<tone> welcome for $<customer>.',
    categoryId: category.id,
  })
  const run = await api.post<ExecutePromptReply>('/api/execute-prompt', {
    promptId: prompt.id,
    variables: { customer: 'Ada' },
  })
  expect(run.result).toContain('Write a warm welcome for Ada.')

  await web.restart()
  const history = await api.get<PromptRun[]>(`/api/prompts/${prompt.id}/executions`)
  expect(history).toMatchObject([
    { id: run.executionId, aiResponse: run.result, variableValues: { customer: 'Ada' } },
  ])
  expect(await api.get('/api/prompts')).toMatchObject([{ title: 'Welcome', category: 'Customers' }])
})

test('the worker runs the cleanup job, and serves nothing but its health', async () => {
  showLogsOnFailure(worker)
  await vi.waitFor(() => expect(worker.logs()).toContain('"msg":"cleanup"'), { timeout: 30_000 })
  expect(web.logs()).not.toContain('"msg":"cleanup"')
  expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${worker.url}/api/prompts`)).status).toBe(404)
})

test('one process migrates while the others wait: three starts at once on an empty database all become ready', async () => {
  const env = { DATABASE_URL: await createServerDatabase({ migrated: false }) }
  const servers = await Promise.all([startServer({ env }), startServer({ env }), startServer({ env })])
  try {
    for (const { url: address } of servers) expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect(await createApi(servers[0].url).get<unknown[]>('/api/categories')).toHaveLength(4)
  } finally {
    await Promise.all(servers.map((server) => server.dispose()))
  }
})

import type { Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const PROCESSES = 4
const LIMIT = 60
const CALLS = 120

let servers: RunningServer[]
beforeAll(async () => {
  const env = {
    DATABASE_URL: await createServerDatabase(),
    SECRET_KEY: 'shared by all processes of this instance',
    RUNS_PER_MINUTE: String(LIMIT),
  }
  servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer({ env })))
})
afterAll(async () => {
  for (const server of servers) await server.dispose()
})

/** A new person with a prompt, signed in at each process. */
async function register(username: string) {
  const account = { ...seedAccount, username, email: `${username}@example.org` }
  const apis = servers.map(({ url }) => createApi(url))
  const [first] = apis
  if (first === undefined) throw new Error('no process was started')
  await first.post('/api/register', account)
  for (const api of apis.slice(1)) {
    await api.post('/api/login', { username, password: account.password })
  }
  const [category] = await first.get<{ id: number }[]>('/api/categories')
  const prompt = await first.post<Prompt>('/api/prompts', {
    title: 'Say hello',
    content: 'Say hello.',
    categoryId: category?.id,
  })
  return { apis, promptId: prompt.id }
}

const LOADS = [
  { load: 'all on one', of: [CALLS, 0, 0, 0] },
  { load: 'even', of: [30, 30, 30, 30] },
  { load: '9 to 1', of: [108, 12, 0, 0] },
]

test.each(LOADS)('of one person 60 runs a minute are 60 on four processes: $load', async ({ load, of }) => {
  for (const server of servers) showLogsOnFailure(server)
  const { apis, promptId } = await register(`runs-${load.replaceAll(' ', '-')}`)
  const calls = apis.flatMap((api, index) =>
    Array.from({ length: of[index] ?? 0 }, () =>
      api.call('POST', '/api/execute-prompt', { promptId, variables: {} }),
    ),
  )
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
  expect(statuses.filter((status) => status === 429)).toHaveLength(CALLS - LIMIT)
})

test.each(LOADS)(
  'Runs, changes and requests a minute are counted over all processes of a PostgreSQL: of four, a limit of 60 is 60, however the load is spread. A count that fails lets no call pass. ($load)',
  async ({ load, of }) => {
    for (const server of servers) showLogsOnFailure(server)
    const { apis, promptId } = await register(`token-${load.replaceAll(' ', '-')}`)
    const fields = { name: 'Limited', promptIds: [promptId], requestsPerMinute: LIMIT }
    const { token } = (await apis[0]?.post<{ token: string }>('/api/read-tokens', fields)) ?? {}
    const headers = { authorization: `Basic ${Buffer.from(`pk-any:${token}`).toString('base64')}` }
    const calls = servers.flatMap(({ url }, index) =>
      Array.from({ length: of[index] ?? 0 }, () =>
        fetch(`${url}/api/public/v2/prompts/${promptId}`, { headers }),
      ),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
    expect(statuses.filter((status) => status === 429)).toHaveLength(CALLS - LIMIT)
  },
)

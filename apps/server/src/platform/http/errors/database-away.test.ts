import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../../database/open/client.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { createServerDatabase } from '../../../testing/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../../testing/database-proxy.ts'

const AWAY = 'The database is not available. Please try again in a moment.'

describe('while the database is away', () => {
  let proxy: DatabaseProxy
  let client: DatabaseClient
  let library: ChainLibrary
  let token: string
  beforeAll(async () => {
    proxy = await startDatabaseProxy(await createServerDatabase())
    client = await openDatabase({ databaseUrl: proxy.url, dataDir: '', fsync: false })
    library = await startChainLibrary('server', {}, {}, { database: { client } })
    const chain = await library.buildChain(['one'])
    const made = await library.request({
      method: 'POST',
      url: '/api/tokens',
      body: { name: 'Helpdesk', chainId: chain.id },
      as: library.owner,
    })
    token = (made.body as { token: string }).token
    proxy.cut()
  })
  afterAll(async () => {
    proxy.mend()
    await library.close()
    await client.close()
    proxy.close()
  })

  const signIn = { username: 'Olga', password: 'correct horse battery' }
  const register = { ...signIn, username: 'Nora', email: 'nora@example.org' }
  const prompt = { title: 'Welcome', content: 'Write.', categoryId: 1 }
  const idle = { promptId: 1, model: 'openai' }
  test.each([
    ...['prompts', 'prompts/1', 'prompts/1/executions', 'categories', 'tags', 'variables'].map((at) => [
      'GET',
      at,
    ]),
    ...['variables/1', 'variables/usage', 'chains', 'chains/1', 'chains/1/executions', 'user'].map((at) => [
      'GET',
      at,
    ]),
    ...['executions/1', 'executions/1/status', 'executions/1/events', 'tokens?chainId=1'].map((at) => [
      'GET',
      at,
    ]),
    ...[
      'chains/1/scheduled-runs',
      'admin/users',
      'admin/checks',
      'proxy?url=https://a.example&variableId=1',
    ].map((at) => ['GET', at]),
    ['POST', 'login', signIn],
    ['POST', 'register', register],
    ['POST', 'logout'],
    ['POST', 'prompts', prompt],
    ['PUT', 'prompts/1', prompt],
    ['DELETE', 'prompts/1'],
    ['POST', 'execute-prompt', idle],
    ['POST', 'chains/1/execute'],
    ['POST', 'executions/1/cancel'],
  ] as [method: 'GET' | 'POST' | 'PUT' | 'DELETE', at: string, body?: object][])(
    '%s /api/%s answers 503 and when to try again',
    async (method, at, body) => {
      const reply = await library.request({ method, url: `/api/${at}`, body, as: library.admin })
      expect(reply.status, reply.text).toBe(503)
      expect(reply.body).toEqual({ error: AWAY })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  test.each(['/v1/chat/completions', '/v1/messages'])('so does %s, in its vendor’s form', async (url) => {
    const reply = await library.request({
      method: 'POST',
      url,
      body: { model: 'any', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
      headers: { authorization: `Bearer ${token}` },
    })
    expect([503, 529], reply.text).toContain(reply.status)
    expect(reply.body).toMatchObject({ error: { message: AWAY } })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('and the check of its readiness', async () => {
    const reply = await library.request({ url: '/readyz' })
    expect([reply.status, reply.body]).toEqual([503, { error: 'Not ready: database, queue' }])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('a stream that is open as the database goes away', () => {
  let proxy: DatabaseProxy
  let client: DatabaseClient
  let library: ChainLibrary
  beforeAll(async () => {
    proxy = await startDatabaseProxy(await createServerDatabase())
    client = await openDatabase({ databaseUrl: proxy.url, dataDir: '', fsync: false })
    library = await startChainLibrary('server', {}, {}, { database: { client } })
  })
  afterAll(async () => {
    await library.close()
    await client.close()
    proxy.close()
  })
  beforeEach(() => library.fake.reset())

  test('ends with an event that says so; the run it followed goes on once the database is back', async () => {
    const chain = await library.buildChain(['one', 'two'])
    const answer = Promise.withResolvers<void>()
    library.fake.reply({ text: 'A', before: () => answer.promise })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.fake.journal).toHaveLength(1))
    const address = await library.http.listen({ host: '127.0.0.1', port: 0 })
    const reply = await fetch(`${address}/api/executions/${id}/events`, { headers: library.owner.headers })
    const decoder = new TextDecoder()
    let seen = ''
    for await (const chunk of reply.body ?? []) {
      seen += decoder.decode(chunk, { stream: true })
      if (seen.includes('event: state') && !seen.includes('event: error')) proxy.cut()
    }
    expect(seen.split('\n\n').at(-2)).toBe(`event: error\ndata: ${JSON.stringify({ error: AWAY })}`)
    answer.resolve()
    proxy.mend()
    expect((await library.ended(id)).status).toBe('completed')
  })
})

describe('a server that only reads, as a standby does', () => {
  let client: DatabaseClient
  let library: ChainLibrary
  beforeAll(async () => {
    client = await openDatabase({ databaseUrl: await createServerDatabase(), dataDir: '', fsync: false })
    library = await startChainLibrary('server', {}, {}, { database: { client } })
    await library.app.start()
    await library.createPrompt(library.owner, { isPublic: true })
    const { rows } = await client.pool.query('select current_database() as name')
    await client.pool.query(`alter database ${rows[0].name} set default_transaction_read_only = on`)
    // In one go, as the pool may take another session for what follows.
    await client.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid();
       set default_transaction_read_only = on`,
    )
  })
  afterAll(async () => {
    await library.close()
    await client.close()
  })

  test('shows what is there, answers 503 to what would write, and is not ready', async () => {
    const reply = await library.request({ url: '/api/prompts', as: library.owner })
    expect([reply.status, (reply.body as unknown[]).length]).toEqual([200, 1])
    const body = { title: 'Welcome', content: 'Write.', categoryId: 1 }
    const refused = await library.request({ method: 'POST', url: '/api/prompts', body, as: library.owner })
    expect([refused.status, refused.body]).toEqual([503, { error: AWAY }])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const login = { username: library.owner.user.username, password: library.owner.password }
    expect((await library.request({ method: 'POST', url: '/api/login', body: login })).status).toBe(503)
    const ready = await library.request({ url: '/readyz' })
    expect([ready.status, ready.body]).toEqual([503, { error: 'Not ready: database' }])
  })

  test('takes writes again as soon as the address leads to one that does: connections to the other leave the pool', async () => {
    const { rows } = await client.pool.query('select current_database() as name')
    await client.pool.query(
      `begin; set transaction read write; alter database ${rows[0].name} reset default_transaction_read_only; commit`,
    )
    const body = { title: 'Written again', content: 'Write.', categoryId: 1 }
    const write = () => library.request({ method: 'POST', url: '/api/prompts', body, as: library.owner })
    await vi.waitFor(async () => expect((await write()).status).toBe(201))
    expect((await library.request({ url: '/readyz' })).status).toBe(200)
  })
})

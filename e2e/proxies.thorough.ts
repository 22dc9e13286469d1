import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { runCommand } from './harness/command.ts'
import {
  askThrough,
  installProxies,
  proxyKinds,
  type RunningProxy,
  readSnippet,
  startProxy,
} from './harness/proxies.ts'
import { type RunningServer, startServer } from './harness/server.ts'

const FILE_MAX_BYTES = 1_048_576

const PERSON = { username: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
/** The limit of calls per address and minute. */
const CHECKS_A_MINUTE = 12

beforeAll(installProxies, 600_000)

/** What doctor says where it runs beside the program. */
async function askDoctor(server: RunningServer, env: Record<string, string>) {
  const { code, out } = await runCommand(['doctor', '--json'], {
    dataDir: server.dataDir,
    env: { PORT: String(server.port), TRUST_PROXY: 'on', ...env },
  })
  const { todo, groups } = JSON.parse(out) as {
    todo: string[]
    groups: { title: string; findings: { grade: string; text: string }[] }[]
  }
  const way = groups.find(({ title }) => title === 'PUBLIC_URL')?.findings ?? []
  return { code, todo, way: way.map(({ grade, text }) => `${grade}: ${text}`) }
}

describe.each(proxyKinds)('behind %s, by the snippet that is shipped', (kind) => {
  let proxy: RunningProxy
  let server: RunningServer
  beforeAll(async () => {
    const port = await freePort()
    proxy = await startProxy(kind, { port })
    server = await startServer({ port, env: { PUBLIC_URL: proxy.url, TRUST_PROXY: 'on' } })
    // A proxy that asks its servers how they are has to see that this one came.
    await vi.waitFor(async () => expect((await ask('/')).status).toBe(200), {
      timeout: 30_000,
      interval: 200,
    })
  })
  afterAll(async () => {
    await server?.dispose()
    await proxy?.close()
  })
  const ask = (path: string, call?: Parameters<typeof askThrough>[2]) => askThrough(proxy.url, path, call)
  const signUp = async () => {
    const { headers } = await ask('/api/register', { body: PERSON })
    return { cookie: (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ') }
  }

  test('pages load by TLS alone, runs stream, uploads pass, and doctor finds all well', async () => {
    const page = await ask('/')
    expect(page).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringContaining('text/html') },
    })
    const plain = await fetch(proxy.plainUrl, { redirect: 'manual' })
    expect(plain.status).toBeGreaterThanOrEqual(301)
    expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost/)

    const headers = await signUp()
    const categories = JSON.parse((await ask('/api/categories', { headers })).text) as { id: number }[]
    const prompt = { title: 'Streamed', content: 'Say hello', categoryId: categories[0]?.id }
    const { id: promptId } = JSON.parse((await ask('/api/prompts', { headers, body: prompt })).text)
    const run = await ask('/api/execute-prompt', {
      headers: { ...headers, accept: 'text/event-stream' },
      body: { promptId, model: 'claude', variables: {} },
    })
    expect(run.text).toContain('event: done')
    expect(run.times.length).toBeGreaterThan(2)

    const content = '"'.repeat(FILE_MAX_BYTES)
    expect(await ask('/api/upload', { headers, body: { fileName: 'all.txt', content } })).toMatchObject({
      status: 201,
    })
    const larger = { fileName: 'all.txt', content: content.repeat(2) }
    expect(await ask('/api/upload', { headers, body: larger })).toMatchObject({ status: 413 })

    const { code, todo, way } = await askDoctor(server, {
      PUBLIC_URL: proxy.url,
      NODE_EXTRA_CA_CERTS: proxy.authority,
    })
    expect(todo).toEqual([])
    expect(way).toEqual([
      `ok: Catenary answers at ${proxy.url}`,
      expect.stringMatching(/^ok: Streams arrive as they are written: two events came \d+ ms apart$/),
      'ok: The proxy sends visitors’ addresses, and TRUST_PROXY trusts it',
      'ok: The Authorization header, which programs use, arrives',
      'ok: The largest upload gets through',
    ])
    expect(code).toBe(0)
  })

  test('Behind nginx, Caddy and HAProxy with the shipped snippets pages load, runs stream, the largest upload passes, and visitors are told apart.', async () => {
    const check = (from: string, written: string) =>
      ask('/api/stream-check', { from, headers: { 'x-forwarded-for': written } })
    // One after the other: more than two at once of one address wait for their turns.
    for (let each = 0; each < CHECKS_A_MINUTE; each += 1)
      expect((await check('127.0.0.2', `203.0.113.${each}`)).status).toBe(200)
    expect((await check('127.0.0.2', '203.0.113.99')).status).toBe(429)
    expect((await check('127.0.0.3', '127.0.0.2')).status).toBe(200)
  })

  test('an answer may be silent for ten minutes', async () => {
    expect(await readSnippet(kind)).toMatch(/(proxy_read_timeout|read_timeout|timeout server +) ?10m/)
  })
})

describe('what doctor says about a broken setup', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.dispose())
  const throughNginx = async (change: (snippet: string) => string, env: Record<string, string> = {}) => {
    const proxy = await startProxy('nginx', { port: server.port, change })
    try {
      const trusted = { PUBLIC_URL: proxy.url, NODE_EXTRA_CA_CERTS: proxy.authority }
      return await askDoctor(server, { ...trusted, ...env })
    } finally {
      await proxy.close()
    }
  }
  const buffering = (snippet: string) => snippet.replace('proxy_buffering off', 'proxy_buffering on')

  test('nginx that buffers against what Catenary asks for is named', async () => {
    const { code, way, todo } = await throughNginx((snippet) =>
      buffering(snippet).replace(
        'proxy_buffering on',
        'proxy_ignore_headers X-Accel-Buffering; proxy_buffering on',
      ),
    )
    expect(code).toBe(1)
    expect(way).toContainEqual(expect.stringMatching(/^problem: Something on the way holds streams back/))
    expect(todo).toContainEqual(expect.stringContaining('proxy_buffering off'))
  })

  test('nginx that buffers by itself leaves streams alone, as each says so in its header', async () => {
    const { way } = await throughNginx(buffering)
    expect(way).toContainEqual(expect.stringMatching(/^ok: Streams arrive as they are written/))
  })

  test('so are its own limit on uploads, a Host of its own, and an unknown certificate', async () => {
    const small = await throughNginx((snippet) => snippet.replace(/client_max_body_size.*/, ''))
    expect(small.way).toContain('problem: An upload of 4 MB does not get through (413)')
    const renamed = await throughNginx((snippet) => snippet.replace('Host $host', 'Host other.example'))
    expect(renamed.way).toEqual([
      expect.stringMatching(/^problem: .*does not know the address other\.example/),
    ])
    const untrusted = await throughNginx((snippet) => snippet, { NODE_EXTRA_CA_CERTS: '' })
    expect(untrusted.way).toEqual([expect.stringMatching(/^problem: The certificate of .* is not trusted/)])
  })

  test('and a proxy whose program is away', async () => {
    const proxy = await startProxy('nginx', { port: await freePort() })
    const { way } = await askDoctor(server, { PUBLIC_URL: proxy.url, NODE_EXTRA_CA_CERTS: proxy.authority })
    await proxy.close()
    expect(way).toEqual([`problem: The proxy at ${proxy.url} does not reach Catenary (502)`])
  })
})

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Variable } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

/** The programs are started a dozen times. */
const PATIENCE_MS = 600_000
const EARLIER = 'the earlier key of all processes, in words'
const NEW = 'the new key of all processes, also in words'
const HEADERS = { authorization: 'Bearer canary-header' }
const VARIABLE = { name: 'weather', type: 'api', apiUrl: 'https://weather.example.org/', apiHeaders: HEADERS }

const servers: RunningServer[] = []
afterEach(async () => {
  // The last first: an earlier one removes the directory that they share.
  for (const server of servers.splice(0).reverse()) await server.dispose()
})
const serve = async (options: Parameters<typeof startServer>[0]) => {
  const server = await startServer(options)
  servers.push(server)
  return server
}
const headersOf = async (api: Api) =>
  (await api.get<Variable[]>('/api/variables')).map(({ apiHeaders }) => apiHeaders)

test(
  '`rotate-key` changes the key of a stopped program, or of several processes while they serve. It refuses until each knows the new key, no output has a key, and people stay signed in.',
  async () => {
    const server = await serve({})
    const { dataDir } = server
    const api = createApi(server.url)
    await api.post('/api/register', seedAccount)
    await api.post('/api/variables', VARIABLE)
    const keyFile = join(dataDir, 'secret.key')
    const earlier = (await readFile(keyFile, 'utf8')).trim()
    const inUse = await runCommand(['rotate-key'], { dataDir })
    expect(inUse).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/already in use by/) })
    expect((await readFile(keyFile, 'utf8')).trim()).toBe(earlier)

    await server.stop()
    // As a kill leaves it before the new key is there.
    await writeFile(`${keyFile}.old`, `${earlier}\n`, { mode: 0o600 })
    const { code, out, err } = await runCommand(['rotate-key'], { dataDir })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^1 row was re-encrypted\. .*\nSHA-256 [0-9a-f]{64}\n/)
    const made = (await readFile(keyFile, 'utf8')).trim()
    expect(made).not.toBe(earlier)
    await expect(readFile(`${keyFile}.old`)).rejects.toMatchObject({ code: 'ENOENT' })

    await server.restart()
    expect((await api.call('GET', '/api/user')).status).toBe(401)
    await api.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
    expect(await headersOf(api)).toEqual([HEADERS])
    for (const key of [earlier, made]) expect(out + server.logs()).not.toContain(key)
  },
  PATIENCE_MS,
)

test(
  'two processes on PostgreSQL change it one after the other while they serve, and nobody is signed out',
  async () => {
    const DATABASE_URL = await createServerDatabase()
    const [old, known, next] = [
      { DATABASE_URL, SECRET_KEY: EARLIER },
      { DATABASE_URL, SECRET_KEY: EARLIER, SECRET_KEY_ALSO: NEW },
      { DATABASE_URL, SECRET_KEY: NEW, SECRET_KEY_ALSO: EARLIER },
    ]
    let one = await serve({ env: old })
    let two = await serve({ env: old })
    const { dataDir, port } = one
    const outputs: string[] = []
    const ask = async (env: Record<string, string>) => {
      const asked = await runCommand(['rotate-key'], { dataDir: two.dataDir, env })
      outputs.push(asked.out + asked.err)
      return asked
    }
    const moveOn = async (server: RunningServer, env: Record<string, string>) => {
      await server.stop()
      outputs.push(server.logs())
      return serve({ env, dataDir: server.dataDir, port: server.port })
    }
    const api = createApi(one.url)
    await api.post('/api/register', seedAccount)
    await api.post('/api/variables', VARIABLE)

    expect(await ask(old)).toMatchObject({ code: 1, err: expect.stringContaining('SECRET_KEY_ALSO') })
    expect((await ask(next)).err).toMatch(/^2 of 2 running processes don’t know the new key\./)
    one = await moveOn(one, known)
    expect((await ask(next)).err).toMatch(/^1 of 2 running processes don’t know the new key\./)
    // Too early: the other could not open what this one would seal.
    await one.stop()
    await expect(startServer({ env: next, dataDir, port })).rejects.toThrow(
      /1 of 1 running processes don’t know this SECRET_KEY/,
    )
    one = await moveOn(one, known)
    two = await moveOn(two, known)
    expect((await ask(next)).err).toMatch(/^2 of 2 running processes still encrypt with the earlier key\./)
    one = await moveOn(one, next)
    await api.post('/api/variables', { ...VARIABLE, name: 'later' })
    const elsewhere = createApi(two.url)
    await elsewhere.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
    expect(await headersOf(elsewhere)).toEqual([HEADERS, HEADERS])
    two = await moveOn(two, next)
    const done = await ask(next)
    expect(done).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^1 row was re-encrypted\./) })

    expect((await api.call('GET', '/api/user')).status).toBe(200)
    one = await moveOn(one, { DATABASE_URL, SECRET_KEY: NEW })
    expect((await api.call('GET', '/api/user')).status).toBe(200)
    expect(await headersOf(api)).toEqual([HEADERS, HEADERS])
    for (const key of [EARLIER, NEW]) expect(outputs.join('')).not.toContain(key)
  },
  PATIENCE_MS,
)

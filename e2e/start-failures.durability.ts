import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { launchProgram, type RunningServer, startServer } from './harness/server.ts'

let server: RunningServer
beforeEach(async () => {
  server = await startServer()
  await createApi(server.url).post('/api/register', seedAccount)
  await server.stop()
})
afterEach(() => server.dispose())

/** All that the program says where it must not start. */
async function failToStart(env: Record<string, string> = {}): Promise<string> {
  const child = launchProgram({
    cwd: server.dataDir,
    env: { PORT: String(server.port), DATA_DIR: server.dataDir, ...env },
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'exit')
  expect(code).toBe(1)
  return output
}

test('a database without PG_VERSION does not count as missing: nobody becomes admin of an empty one', async () => {
  await rm(join(server.dataDir, 'database/PG_VERSION'))
  const line = /^Catenary did not start\. The database in \S+ is incomplete: PG_VERSION is missing\. .+\n$/
  expect(await failToStart()).toMatch(line)
  // Nor on the second try.
  expect(await failToStart()).toMatch(line)
})

test('whatever stops the start is said in one line', async () => {
  expect(await failToStart({ DATA_DIR: join(server.dataDir, 'secret.key') })).toBe(
    'Catenary did not start. DATA_DIR is not a directory. Set it to one.\n',
  )
  const databaseUrl = 'postgres://nobody:wrong@127.0.0.1:9/nowhere'
  expect(await failToStart({ DATABASE_URL: databaseUrl, DATABASE_WAIT_SECONDS: '0' })).toBe(
    'Catenary did not start. The database nowhere at 127.0.0.1:9 (DATABASE_URL) refuses connections. Is PostgreSQL running there?\n',
  )
  await rm(join(server.dataDir, 'database'), { recursive: true })
  expect(await failToStart()).toMatch(/^Catenary did not start\. The database is gone: .+\n$/)
}, 120_000)

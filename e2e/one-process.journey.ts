import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { createApi } from './harness/api.ts'
import { launchProgram, type RunningServer, startServer } from './harness/server.ts'

const LIMIT_MS = 2_000

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.dispose())

test('a second process on the same data directory stops at once and says what to do', async () => {
  const second = launchProgram({
    cwd: server.dataDir,
    env: { DATA_DIR: server.dataDir, PORT: String(await freePort()) },
  })
  let output = ''
  second.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const tooLate = AbortSignal.timeout(LIMIT_MS * 10)
  const [code] = await once(second, 'exit', { signal: tooLate })
  expect(code).toBe(1)
  expect(output).toContain(server.dataDir)
  expect(output).toMatch(/DATA_DIR/)
  expect(output).toMatch(/DATABASE_URL/)
  expect(output).not.toMatch(/\n\s+at /)
  expect(await createApi(server.url).get('/api/categories')).toHaveLength(4)
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Variable } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { main, type RunningServer, startServer } from './harness/server.ts'

const VARIABLES = 450
/** As many a variable that most of the time goes by while values are sealed. */
const HEADERS = 40
const KILLS = 20
const PATIENCE_MS = 1_800_000

let server: RunningServer
let api: Api
beforeAll(async () => {
  server = await startServer()
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  for (let index = 0; index < VARIABLES; index += 1) await api.post('/api/variables', variable(index))
})
afterAll(() => server?.dispose())

const variable = (index: number) => ({
  ...{ name: `weather_${index}`, type: 'api', apiUrl: 'https://weather.example.org/' },
  apiHeaders: headers(index),
})
const headers = (index: number | string) =>
  Object.fromEntries(Array.from({ length: HEADERS }, (_, at) => [`x-key-${at}`, `Bearer ${index} ${at}`]))

test(
  'rotate-key that is killed at any moment loses no value, and goes on when it is called again',
  async () => {
    await server.stop()
    const whole = await timeOf(() => runCommand(['rotate-key'], server))
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const child = startRotation()
      await delay((whole * kill) / KILLS)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await server.restart()
      await expectAll()
      await server.stop()
    }
    expect(await runCommand(['rotate-key'], server)).toMatchObject({ code: 0, err: '' })
    expect(existsSync(join(server.dataDir, 'secret.key.old'))).toBe(false)
    await server.restart()
    await expectAll()
  },
  PATIENCE_MS,
)

async function expectAll() {
  await api.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
  const listed = await api.get<Variable[]>('/api/variables')
  expect(listed).toHaveLength(VARIABLES)
  for (const { name, apiHeaders } of listed)
    expect(apiHeaders, name).toEqual(headers(name.slice('weather_'.length)))
}

function startRotation(): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DATA_DIR: server.dataDir }
  return spawn(process.execPath, [main, 'rotate-key'], { cwd: server.dataDir, env, stdio: 'ignore' })
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

import { existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Variable } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { launchCommand, runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

/** Three slices. */
const VARIABLES = 450
/** As many a variable that most of the time goes by while values are sealed. */
const HEADERS = 40
/** Parts of what is written while values are sealed; the last is about where the earlier key goes. */
const SEALING_KILLS = [0.3, 0.55, 0.7, 1]
const PATIENCE_MS = 600_000

let server: RunningServer
let api: Api
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } })
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

const keyFile = () => join(server.dataDir, 'secret.key')
const isEarlierKept = () => existsSync(`${keyFile()}.old`)

test(
  'Killed at any moment `rotate-key` loses no value, and goes on when called again; what no key opens stays and is counted.',
  async () => {
    showLogsOnFailure(server)
    await server.stop()
    // One after the other: the next finds what the one before left, which may be the new key already.
    const earlier = readFileSync(keyFile(), 'utf8')
    await killOnce(isEarlierKept)
    await killOnce(() => readFileSync(keyFile(), 'utf8') !== earlier)
    expect(await goOn()).toBe(VARIABLES)

    const whole = runCommand(['rotate-key'], server)
    await until(isEarlierKept)
    const log = watchLog()
    expect(await whole).toMatchObject({ code: 0, err: '' })
    const written = log.end()
    const left: number[] = []
    const isBetween = (rows: number) => rows > 0 && rows < VARIABLES
    const moments = SEALING_KILLS.length
    // On a busy machine all of them may come too early or too late: then once more.
    for (let kill = 0; kill < moments || (kill < 3 * moments && !left.some(isBetween)); kill += 1) {
      await killOnce(isEarlierKept, (SEALING_KILLS[kill % moments] ?? 0) * written)
      if (isEarlierKept()) left.push(await goOn())
    }
    expect(left).toContainEqual(expect.toSatisfy(isBetween))
    await server.restart()
    await expectAll()
  },
  PATIENCE_MS,
)

/** Kills a rotation once the database's log was written to so often after `isReached`; all values open for the program then. */
async function killOnce(isReached: () => boolean, writes = 0): Promise<void> {
  const child = launchCommand(['rotate-key'], server)
  await until(isReached)
  const log = watchLog()
  await until(() => log.writes() >= writes || !isEarlierKept())
  await child.kill()
  log.end()
  await server.restart()
  await expectAll()
  await server.stop()
}

function watchLog() {
  let writes = 0
  const watcher = watch(join(server.dataDir, 'database', 'pg_wal'), () => (writes += 1))
  return {
    writes: () => writes,
    end: () => {
      watcher.close()
      return writes
    },
  }
}

/** Ends the rotation that was killed; how many rows it found that were not sealed anew yet. */
async function goOn(): Promise<number> {
  const { code, out, err } = await runCommand(['rotate-key'], server)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(isEarlierKept()).toBe(false)
  return Number(/^(\d+) rows? w/.exec(out)?.[1])
}

const until = (isReached: () => boolean) =>
  vi.waitFor(() => expect(isReached()).toBe(true), { timeout: 60_000, interval: 1 })

async function expectAll() {
  await api.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
  const listed = await api.get<Variable[]>('/api/variables')
  expect(listed).toHaveLength(VARIABLES)
  for (const { name, apiHeaders } of listed)
    expect(apiHeaders, name).toEqual(headers(name.slice('weather_'.length)))
}

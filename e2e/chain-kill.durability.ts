import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { createApi } from './harness/api.ts'
import { type ChainLoad, createChainLoad, createRandom } from './harness/chain-load.ts'
import { startPostgres } from './harness/postgres.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const STEPS = 5
const SECRET_KEY = 'shared by all processes of this instance'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(env: Record<string, string>): Promise<RunningServer> {
  const server = await startServer({ env })
  closing.push(server.dispose)
  showLogsOnFailure(server)
  return server
}

async function createLoad(items?: { atOnce: number }): Promise<ChainLoad> {
  const load = await createChainLoad({ steps: STEPS, ...items })
  closing.push(load.close)
  return load
}

function report(load: ChainLoad, kills: number): void {
  const { acknowledged, calls, repeated } = load
  console.log(
    `seed ${SEED}: ${acknowledged} runs, ${kills} kills, ${calls} model calls, ${repeated} repeated`,
  )
}

test('A run survives its process: no completed step is repeated, and a kill costs one repeated call at most (D30).', async () => {
  const ROUNDS = 20
  const RUNS_A_ROUND = 10
  const random = createRandom(SEED)
  const load = await createLoad()
  const server = await start(load.env)
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  let kills = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    await load.start({ api, count: RUNS_A_ROUND, kills })
    await sleep(random() * 200)
    await server.kill()
    kills += 1
    await server.restart()
  }
  await load.waitForAll({ api, timeoutMs: 120_000 })
  report(load, kills)
  expect(load.findFaults({ kills })).toEqual([])
  expect(load.acknowledged).toBe(ROUNDS * RUNS_A_ROUND)
}, 900_000)

test('200 runs on PostgreSQL whose two workers are killed in turn: taken over, with the same promises', async () => {
  const ROUNDS = 8
  const RUNS_A_ROUND = 25
  const random = createRandom(SEED)
  const load = await createLoad()
  const env = { ...load.env, DATABASE_URL: await createServerDatabase(), SECRET_KEY }
  const web = await start({ ...env, ROLE: 'web' })
  const workers = await Promise.all([start({ ...env, ROLE: 'worker' }), start({ ...env, ROLE: 'worker' })])
  const api = createApi(web.url)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  let kills = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    await load.start({ api, count: RUNS_A_ROUND, kills })
    await sleep(random() * 200)
    const worker = workers[round % 2]
    await worker?.kill()
    kills += 1
    await worker?.restart()
  }
  await load.waitForAll({ api, timeoutMs: 180_000 })
  report(load, kills)
  expect(load.findFaults({ kills })).toEqual([])
  expect(load.acknowledged).toBe(ROUNDS * RUNS_A_ROUND)
}, 900_000)

test('A list survives its process: no item that has ended is asked for again, and a kill costs those under way at most.', async () => {
  const ROUNDS = 20
  const RUNS_A_ROUND = 10
  const random = createRandom(SEED)
  const load = await createLoad({ atOnce: 2 })
  const server = await start(load.env)
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  let kills = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    await load.start({ api, count: RUNS_A_ROUND, kills })
    await sleep(random() * 200)
    await server.kill()
    kills += 1
    await server.restart()
  }
  await load.waitForAll({ api, timeoutMs: 120_000 })
  report(load, kills)
  expect(load.findFaults({ kills })).toEqual([])
  expect(load.acknowledged).toBe(ROUNDS * RUNS_A_ROUND)
}, 900_000)

test('lists on PostgreSQL whose two workers are killed in turn: taken over, with the same promises', async () => {
  const ROUNDS = 8
  const random = createRandom(SEED)
  const load = await createLoad({ atOnce: 2 })
  const env = { ...load.env, DATABASE_URL: await createServerDatabase(), SECRET_KEY }
  const web = await start({ ...env, ROLE: 'web' })
  const workers = await Promise.all([start({ ...env, ROLE: 'worker' }), start({ ...env, ROLE: 'worker' })])
  const api = createApi(web.url)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  let kills = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    await load.start({ api, count: 25, kills })
    await sleep(random() * 200)
    const worker = workers[round % 2]
    await worker?.kill()
    kills += 1
    await worker?.restart()
  }
  await load.waitForAll({ api, timeoutMs: 180_000 })
  report(load, kills)
  expect(load.findFaults({ kills })).toEqual([])
  expect(load.acknowledged).toBe(ROUNDS * 25)
}, 900_000)

test('a PostgreSQL that is restarted at once under load costs no run and no call twice but one', async () => {
  const RESTARTS = 3
  const random = createRandom(SEED)
  const load = await createLoad()
  const postgres = await startPostgres()
  closing.push(postgres.close)
  const env = { ...load.env, DATABASE_URL: postgres.url, SECRET_KEY }
  const [first] = [await start(env), await start(env)]
  const api = createApi(first.url)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    await load.start({ api, count: 40, kills: restart })
    await sleep(random() * 150)
    await postgres.restartImmediately()
  }
  await load.waitForAll({ api, timeoutMs: 180_000 })
  report(load, RESTARTS)
  expect(load.findFaults({ kills: RESTARTS })).toEqual([])
  expect(load.acknowledged).toBe(RESTARTS * 40)
}, 900_000)

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from './harness/api.ts'
import { type ChainLoad, createChainLoad } from './harness/chain-load.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const RUNS = 10
const KILLS = 2

let load: ChainLoad
let server: RunningServer
beforeAll(async () => {
  load = await createChainLoad({ steps: 5 })
  server = await startServer({ env: load.env })
})
afterAll(async () => {
  await server.dispose()
  await load.close()
})

test('runs of a chain outlive the kill of the whole program, and repeat no step that had completed', async () => {
  showLogsOnFailure(server)
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  await load.start({ api, count: RUNS, kills: 0 })
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await sleep(70 * kill)
    await server.kill()
    await server.restart()
  }
  await load.waitForAll({ api, timeoutMs: 60_000 })
  expect(load.findFaults({ kills: KILLS })).toEqual([])
  expect(load.acknowledged).toBe(RUNS)
})

import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { type Api, createApi } from './harness/api.ts'
import { type ChainLoad, createChainLoad, createRandom } from './harness/chain-load.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS = 100
const RUNS_A_ROUND = 3
const ITEMS = 5
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

/** Somebody who answers each question as soon as it is asked, again if no reply came. Each answer says which it is. */
function startAnswering(api: Api) {
  const acknowledged = new Map<number, string[]>()
  let sent = 0
  let isOver = false
  async function answer({ id }: Pick<Ask, 'id'>) {
    sent += 1
    const reason = `ask ${id}, answer ${sent}`
    const reply = await api.call('POST', `/api/asks/${id}/answer`, { decision: 'approve', reason })
    if (reply.status === 200) acknowledged.set(id, [...(acknowledged.get(id) ?? []), reason])
  }
  const answering = (async () => {
    while (!isOver) {
      const open = await api.call('GET', '/api/asks?status=open').catch(() => undefined)
      const asks = open?.status === 200 ? (open.body as Ask[]) : []
      await Promise.allSettled(asks.map(answer))
      await sleep(50)
    }
  })()
  return {
    acknowledged,
    async stop() {
      isOver = true
      await answering
    },
  }
}

/** Kills again and again while runs wait, are answered and go on, and holds what was acknowledged against what came of it. */
async function killOften(options: { api: Api; load: ChainLoad; kill: (round: number) => Promise<void> }) {
  const { api, load, kill } = options
  const random = createRandom(SEED)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  const answers = startAnswering(api)
  for (let kills = 0; kills < KILLS; kills += 1) {
    await load.start({ api, count: RUNS_A_ROUND, kills })
    await sleep(random() * 600)
    await kill(kills)
  }
  await load.waitForAll({ api, timeoutMs: 180_000 })
  await answers.stop()
  const { acknowledged: runs, calls, repeated } = load
  console.log(`seed ${SEED}: ${runs} runs, ${KILLS} kills, ${calls} model calls, ${repeated} repeated`)

  expect(load.findFaults({ kills: KILLS })).toEqual([])
  expect(runs).toBeGreaterThan(KILLS)
  const twice = [...answers.acknowledged.values()].filter(({ length }) => length > 1)
  expect(twice).toEqual([])
  const told = () => load.reasons()
  const counted = () => new Set(told().map(([first = '']) => first))
  const lost = () => [...answers.acknowledged.values()].flat().filter((reason) => !counted().has(reason))
  // Also of runs whose start was not acknowledged.
  await expect.poll(lost, { timeout: 60_000 }).toEqual([])
  expect(told().filter((reasons) => new Set(reasons).size > 1)).toEqual([])
  expect(counted().size).toBe(told().length)
}

test('No answer is lost or counts twice, and no ended item is asked for again, however often the process is killed.', async () => {
  const load = await createChainLoad({ steps: ITEMS, atOnce: 2, asks: true })
  closing.push(load.close)
  const server = await start(load.env)
  await killOften({
    api: createApi(server.url),
    load,
    async kill() {
      await server.kill()
      await server.restart()
    },
  })
}, 1_800_000)

test('asks and lists on PostgreSQL whose two workers are killed in turn, with the same promises', async () => {
  const load = await createChainLoad({ steps: ITEMS, atOnce: 2, asks: true })
  closing.push(load.close)
  const env = { ...load.env, DATABASE_URL: await createServerDatabase(), SECRET_KEY }
  const web = await start({ ...env, ROLE: 'web' })
  const workers = await Promise.all([start({ ...env, ROLE: 'worker' }), start({ ...env, ROLE: 'worker' })])
  await killOften({
    api: createApi(web.url),
    load,
    async kill(round) {
      const worker = workers[round % 2]
      await worker?.kill()
      await worker?.restart()
    },
  })
}, 1_800_000)

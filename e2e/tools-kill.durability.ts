import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, Chain, RunDetails, RunState, StartedRun } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { type FakeService, startFakeService, toolStep } from '../apps/server/src/testing/fake-service.ts'
import { type Api, createApi } from './harness/api.ts'
import { createRandom } from './harness/chain-load.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS = Number(process.env.KILLS ?? 100)
const RUNS_A_ROUND = 3
const ITEMS = 4
const ANSWERS_MS = 150
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

/** A service that takes its time, and notes which of its answers were on their way whole. */
async function startSlowService(random: () => number) {
  const service = await startFakeService()
  closing.push(service.close)
  service.answerByDefault(({ url }) => (reply) => {
    setTimeout(() => reply.writeHead(200, { 'content-type': 'text/plain' }).end(url), random() * ANSWERS_MS)
  })
  return service
}

const envOf = ({ host }: FakeService) => ({
  TOOL_HOSTS: host,
  RUNS_PER_MINUTE: '1000000',
  LOG_LEVEL: 'warn',
})

/** A chain that calls for each item of its input, and once with all that was answered. */
async function makeChain(api: Api, { url }: FakeService): Promise<number> {
  const { id } = await api.post<Chain>('/api/chains', { name: 'Load' })
  const forEach = { list: 'input', as: 'item', max: ITEMS, atOnce: 2, onFailure: 'leave_out', result: 'text' }
  const steps = [
    toolStep({ url: `${url}/item/{{item}}` }, { outputVariableName: 'all', forEach }),
    toolStep({ url: `${url}/end?run={{input}}` }, { outputVariableName: 'last' }),
  ]
  for (const [position, step] of steps.entries())
    await api.post(`/api/chains/${id}/steps`, { ...step, position })
  return id
}

/** Kills again and again while runs call, and holds each call against what its run shows of it. */
async function killOften(options: {
  api: Api
  service: FakeService
  kill: (round: number) => Promise<void>
}) {
  const { api, service, kill } = options
  const random = createRandom(SEED)
  await api.post('/api/register', seedAccount)
  const chainId = await makeChain(api, service)
  const started: { id: number; items: string[] }[] = []
  let named = 0
  const startRun = async () => {
    named += 1
    const run = named
    const items = Array.from({ length: ITEMS }, (_, item) => `${run}-${item}`)
    const body = { input: items.join('\n') }
    const reply = await api.call('POST', `/api/chains/${chainId}/execute`, body).catch(() => undefined)
    if (reply?.status === 201) started.push({ id: (reply.body as StartedRun).id, items })
  }
  for (let kills = 0; kills < KILLS; kills += 1) {
    await Promise.all(Array.from({ length: RUNS_A_ROUND }, startRun))
    await sleep(random() * 600)
    await kill(kills)
  }
  const answered = await answerAll(api, started)
  const faults: string[] = []
  for (const { id, items } of started) {
    const run = await api.get<RunDetails>(`/api/executions/${id}`)
    if (run.status !== 'completed') faults.push(`run ${id}: ${run.status} ${run.error}`)
    const places = items.map((name, item) => ({ url: `/item/${name}`, place: `${id} 0 ${item}` }))
    for (const { url, place } of [...places, { url: endOf(items), place: `${id} 1 null` }]) {
      const made = service.calls.filter((call) => call.url === url).length
      const said = answered.get(place) ?? []
      const again = said.filter((happened) => !happened).length
      // A process may die right before a call goes out; what nobody said of has an answer.
      const least = said.includes(true) ? 0 : 1
      if (made > 1 + again || made < least) faults.push(`${place}: ${made} calls, said ${said.join()}`)
    }
  }
  const saying = [...answered.values()].flat()
  console.log(
    `seed ${SEED}: ${started.length} runs, ${KILLS} kills, ${service.calls.length} calls, ${saying.length} unsure, ${saying.filter((happened) => !happened).length} sent again`,
  )
  expect(faults).toEqual([])
  expect(started.length).toBeGreaterThan(KILLS)
  expect(saying.length).toBeGreaterThan(0)
}

const endOf = (items: readonly string[]) => `/end?run=${encodeURIComponent(items.join('\n'))}`

/** Answers each unsure call of the runs, half of them as happened, until all have ended; what was said, by the call's place. */
async function answerAll(api: Api, started: readonly { id: number }[]): Promise<Map<string, boolean[]>> {
  const said = new Map<string, boolean[]>()
  let count = 0
  const left = new Set(started.map(({ id }) => id))
  const round = async () => {
    const asks = await api.get<Ask[]>('/api/asks?status=open&limit=100')
    for (const { executionId, position, unsure } of asks) {
      count += 1
      const happened = count % 2 === 0
      const item = unsure?.item ?? null
      const body = { happened, ...(happened && { answer: 'said' }), ...(item !== null && { item }) }
      await api.post(`/api/executions/${executionId}/steps/${position}/unsure`, body)
      const place = `${executionId} ${position} ${item}`
      said.set(place, [...(said.get(place) ?? []), happened])
    }
    for (const id of left) {
      const { status } = await api.get<RunState>(`/api/executions/${id}/status`)
      if (status !== 'running') left.delete(id)
    }
    return left.size
  }
  await expect.poll(round, { timeout: 180_000, interval: 200 }).toBe(0)
  return said
}

test('However often the process is killed, no call that is not safe to repeat is made twice unless its runner says so, and they are asked about each of which nobody knows.', async () => {
  const service = await startSlowService(createRandom(SEED))
  const server = await start(envOf(service))
  await killOften({
    api: createApi(server.url),
    service,
    async kill() {
      await server.kill()
      await server.restart()
    },
  })
}, 1_800_000)

test('calls on PostgreSQL whose two workers are killed in turn, with the same promises', async () => {
  const service = await startSlowService(createRandom(SEED))
  const env = { ...envOf(service), DATABASE_URL: await createServerDatabase(), SECRET_KEY }
  const web = await start({ ...env, ROLE: 'web' })
  const workers = await Promise.all([start({ ...env, ROLE: 'worker' }), start({ ...env, ROLE: 'worker' })])
  await killOften({
    api: createApi(web.url),
    service,
    async kill(round) {
      const worker = workers[round % 2]
      await worker?.kill()
      await worker?.restart()
    },
  })
}, 1_800_000)

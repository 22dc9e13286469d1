import { setTimeout as delay } from 'node:timers/promises'
import type { StartedRun } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { startRedis } from '../e2e/harness/redis.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { processorMs } from './lib/processor-time.ts'
import { type ScaleCluster, startCountingPostgres, startScaleCluster } from './lib/scale-cluster.ts'

const ROUNDS = Number(process.env.SCALE_ROUNDS ?? 3)
/** `SCALE_FIGURES=step npm run bench scale` measures those alone. */
const FIGURES = new RegExp(process.env.SCALE_FIGURES ?? '')
/** All of these are for each process: what one does at a time is the same, however many there are. */
const [CALLERS, CHAINS, CALLS, STREAMS, RUNS] = [8, 60, 300, 100, 20]
const STEPS = 5
const STREAM_SECONDS = 6
/** Until all are open, and until the first of them ends. */
const STREAM_MARGIN_SECONDS = 3
const IDLE_MS = 5_000
/** A run that is followed writes so often. */
const PIECES_A_SECOND = 10
const ANSWER = 'An answer of some length. '.repeat(10)

interface Cost {
  program: number
  postgresql: number
  statements: number
}

type Cluster = ScaleCluster & { count: number; short: Made; long: Made }
type Made = Awaited<ReturnType<ScaleCluster['makeChain']>>

/** Installations that work beside each other. */
interface Contender {
  name: string
  clusters: Cluster[]
}

interface Measurement {
  name: string
  /** How many units the work is, with that many processes. */
  units: (processes: number) => number
  /** What is to be there before, and is not counted; resolves with the work, which is. */
  prepare: (cluster: Cluster) => Promise<() => Promise<unknown>>
  /** Until nothing of it is under way. */
  finish?: (cluster: Cluster) => Promise<unknown>
}

// What a unit of work takes of the program's and of PostgreSQL's processors, and how many statements, with 1, 2 and 4
// processes behind HAProxy. They take turns; caller, provider and HAProxy are not counted. Four that share nothing show
// what the machine adds where four do something at once.
process.setMaxListeners(100)
const provider = await startFakeProvider({ vendor: 'openai' })
provider.replyByDefault({ text: ANSWER })
const postgres = await startCountingPostgres()
const redis = await startRedis()
const contenders: Contender[] = []
let databases = 0
for (const { name, counts, env } of [
  { name: 'one process', counts: [1], env: {} },
  { name: '2 processes', counts: [2], env: {} },
  { name: '4 processes', counts: [4], env: {} },
  { name: '4 processes and a bus', counts: [4], env: { BUS_URL: redis.url } },
  { name: '4 that share nothing', counts: [1, 1, 1, 1], env: {} },
]) {
  const clusters: Cluster[] = []
  for (const count of counts) {
    databases += 1
    const databaseUrl = await postgres.create(`scale_${databases}`)
    const cluster = await startScaleCluster({ count, databaseUrl, modelUrl: provider.url, env })
    const [short, long] = [await cluster.makeChain(1), await cluster.makeChain(STEPS)]
    clusters.push({ ...cluster, count, short, long })
  }
  contenders.push({ name, clusters })
}
const processesOf = ({ clusters }: Contender) => clusters.reduce((sum, { count }) => sum + count, 0)

async function together(processes: number, count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count * processes
  const caller = async () => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: CALLERS * processes }, caller))
}

async function costOf({ clusters }: Contender, work: () => Promise<unknown>) {
  const pids = clusters.flatMap((cluster) => cluster.pids)
  const names = clusters.map(({ database }) => database)
  const [before, program, start] = [await postgres.read(names), processorMs(pids), performance.now()]
  await work()
  const seconds = (performance.now() - start) / 1000
  const [after, programAfter] = [await postgres.read(names), processorMs(pids)]
  const cost: Cost = {
    program: programAfter - program,
    postgresql: after.ms - before.ms,
    statements: after.statements - before.statements,
  }
  return { seconds, cost }
}

const parts = ['program', 'postgresql', 'statements'] as const

/** What one unit takes, without what the processes do anyway in that time. */
async function costOfUnit(contender: Contender, idle: Awaited<ReturnType<typeof costOf>>, of: Measurement) {
  const { clusters } = contender
  const works = await Promise.all(clusters.map(of.prepare))
  const { seconds, cost } = await costOf(contender, () => Promise.all(works.map((work) => work())))
  await Promise.all(clusters.map((cluster) => of.finish?.(cluster)))
  const each = { ...cost }
  for (const part of parts) {
    const own = (idle.cost[part] / idle.seconds) * seconds
    each[part] = (cost[part] - own) / of.units(processesOf(contender))
  }
  return each
}

async function startChains({ api, count, long, untilIdle }: Cluster): Promise<void> {
  await together(count, CHAINS, () => api.post(`/api/chains/${long.id}/execute`, { input: 'bridges' }))
  await untilIdle()
}

async function callChains({ url, count, short }: Cluster): Promise<void> {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'bridges' }] })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${short.token}` }
  await together(count, CALLS, async () => {
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    await reply.text()
  })
}

/** Starts so many runs, which write all the while. */
async function startWriting({ api, short }: Cluster, runs: number): Promise<number[]> {
  const length = (STREAM_SECONDS + 2 * STREAM_MARGIN_SECONDS) * PIECES_A_SECOND
  const text = Array.from({ length }, () => 'a piece of text ')
  const reply = { text, delayMs: 1000 / PIECES_A_SECOND }
  provider.reply(...Array.from({ length: runs }, () => reply))
  const start = () => api.post<StartedRun>(`/api/chains/${short.id}/execute`, { input: 'bridges' })
  const started = await Promise.all(Array.from({ length: runs }, start))
  return started.map(({ id }) => id)
}

/** Follows each run so many times; HAProxy spreads the streams. Resolves once they are open. */
async function follow({ api, url }: Cluster, ids: number[], streams: number): Promise<void> {
  const cookie = api.cookies().map(({ name, value }) => `${name}=${value}`)
  const headers = { cookie: cookie.join('; ') }
  const read = async (id: number) => {
    const reply = await fetch(`${url}/api/executions/${id}/events`, { headers })
    const text = await reply.text()
    if (!text.includes('event: end')) throw new Error(`a stream ended early: ${reply.status}`)
  }
  for (const id of ids) for (let stream = 0; stream < streams; stream += 1) void read(id)
  await delay(STREAM_MARGIN_SECONDS * 1000)
}

/** Some of the time in which so many runs of each process go on, each with so many streams. */
const watching = (runs: number, streams: number): Omit<Measurement, 'name' | 'units'> => ({
  prepare: async (cluster) => {
    await follow(cluster, await startWriting(cluster, runs * cluster.count), streams)
    return () => delay(STREAM_SECONDS * 1000)
  },
  finish: ({ untilIdle }) => untilIdle(),
})

const all: Measurement[] = [
  {
    name: `a step of a chain of ${STEPS}`,
    units: (processes) => CHAINS * STEPS * processes,
    prepare: async (cluster) => () => startChains(cluster),
  },
  {
    name: 'a call of `/v1`',
    units: (processes) => CALLS * processes,
    prepare: async (cluster) => () => callChains(cluster),
  },
  {
    name: 'a second of a stream among many of a run',
    units: (processes) => STREAMS * STREAM_SECONDS * processes,
    ...watching(1, STREAMS),
  },
  {
    name: 'a second of a run that writes',
    units: (processes) => RUNS * STREAM_SECONDS * processes,
    ...watching(RUNS, 0),
  },
  {
    name: 'a second of a run that writes, with one stream',
    units: (processes) => RUNS * STREAM_SECONDS * processes,
    ...watching(RUNS, 1),
  },
]

const measurements = all.filter(({ name }) => FIGURES.test(name))
const costs = new Map<string, Cost[]>()
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const contender of contenders) {
    const idle = await costOf(contender, () => delay(IDLE_MS))
    for (const measurement of measurements) {
      const cost = await costOfUnit(contender, idle, measurement)
      // The first round warms up.
      const key = `${measurement.name}, ${contender.name}`
      if (round > 0) costs.set(key, [...(costs.get(key) ?? []), cost])
    }
  }
}

const of = (name: string, part: keyof Cost) => median((costs.get(name) ?? []).map((cost) => cost[part]))
for (const { name } of measurements) {
  const first = `${name}, ${contenders[0]?.name}`
  for (const contender of contenders) {
    const figure = `${name}, ${contender.name}`
    for (const [part, where] of [
      ['program', 'program'],
      ['postgresql', 'PostgreSQL'],
    ] as const) {
      const [value, floor] = [of(figure, part), of(first, part)]
      const ratio = {
        floor: `${milliseconds(floor)} one process`,
        ratio: (value / floor).toFixed(2),
        target: '≤ 1.1',
      }
      print({
        figure: `processor time of ${figure}: ${where}`,
        value: milliseconds(value),
        ...(processesOf(contender) > 1 && ratio),
      })
    }
    print({ figure: `statements of ${figure}`, value: of(figure, 'statements').toFixed(2) })
  }
}

for (const { clusters } of contenders) for (const { close } of clusters) await close()
await redis.close()
await postgres.close()
await provider.close()
process.exit(0)

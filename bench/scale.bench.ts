import { setTimeout as delay } from 'node:timers/promises'
import type { StartedRun } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { startRedis } from '../e2e/harness/redis.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { processorMs } from './lib/processor-time.ts'
import { type ScaleCluster, startCountingPostgres, startScaleCluster } from './lib/scale-cluster.ts'

const ROUNDS = Number(process.env.SCALE_ROUNDS ?? 5)
/** All of these are for each process: what one does at a time is the same, however many there are. */
const [CALLERS, CHAINS, CALLS, STREAMS, RUNS] = [8, 60, 300, 100, 20]
const STEPS = 5
const STREAM_SECONDS = 8
/** Until all are open, and until the first of them ends. */
const STREAM_MARGIN_SECONDS = 4
const IDLE_MS = 5_000
/** A run that is followed writes so often. */
const PIECES_A_SECOND = 10
const ANSWER = 'An answer of some length. '.repeat(10)

interface Cost {
  program: number
  postgresql: number
  statements: number
}

type Contender = ScaleCluster & { name: string; count: number; short: Made; long: Made }
type Made = Awaited<ReturnType<ScaleCluster['makeChain']>>

interface Measurement {
  name: string
  /** How many units the work is, with that many processes. */
  units: (processes: number) => number
  /** What is to be there before, and is not counted; resolves with the work, which is. */
  prepare: (contender: Contender) => Promise<() => Promise<unknown>>
  /** Until nothing of it is under way. */
  finish?: (contender: Contender) => Promise<unknown>
}

// What a unit of work takes of the program's and of PostgreSQL's processors, and how many statements, with 1, 2 and 4
// processes behind HAProxy. They take turns; caller, provider and HAProxy are not counted.
process.setMaxListeners(100)
const provider = await startFakeProvider({ vendor: 'openai' })
provider.replyByDefault({ text: ANSWER })
const postgres = await startCountingPostgres()
const redis = await startRedis()
const contenders: Contender[] = []
for (const { name, count, env } of [
  { name: 'one process', count: 1, env: {} },
  { name: '2 processes', count: 2, env: {} },
  { name: '4 processes', count: 4, env: {} },
  { name: '4 processes and a bus', count: 4, env: { BUS_URL: redis.url } },
]) {
  const databaseUrl = await postgres.create(`scale_${contenders.length}`)
  const cluster = await startScaleCluster({ count, databaseUrl, modelUrl: provider.url, env })
  const [short, long] = [await cluster.makeChain(1), await cluster.makeChain(STEPS)]
  contenders.push({ ...cluster, name, count, short, long })
}

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

async function costOf({ pids, database }: Contender, work: () => Promise<unknown>) {
  const [before, program, start] = [await postgres.read(database), processorMs(pids), performance.now()]
  await work()
  const seconds = (performance.now() - start) / 1000
  const [after, programAfter] = [await postgres.read(database), processorMs(pids)]
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
  const work = await of.prepare(contender)
  const { seconds, cost } = await costOf(contender, work)
  await of.finish?.(contender)
  const each = { ...cost }
  for (const part of parts)
    each[part] = (cost[part] - (idle.cost[part] / idle.seconds) * seconds) / of.units(contender.count)
  return each
}

async function startChains({ api, count, long, untilIdle }: Contender): Promise<void> {
  await together(count, CHAINS, () => api.post(`/api/chains/${long.id}/execute`, { input: 'bridges' }))
  await untilIdle()
}

async function callChains({ url, count, short }: Contender): Promise<void> {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'bridges' }] })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${short.token}` }
  await together(count, CALLS, async () => {
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    await reply.text()
  })
}

/** Starts so many runs, which write all the while. */
async function startWriting({ api, short }: Contender, runs: number): Promise<number[]> {
  const length = (STREAM_SECONDS + 2 * STREAM_MARGIN_SECONDS) * PIECES_A_SECOND
  const text = Array.from({ length }, () => 'a piece of text ')
  const reply = { text, delayMs: 1000 / PIECES_A_SECOND }
  provider.reply(...Array.from({ length: runs }, () => reply))
  const start = () => api.post<StartedRun>(`/api/chains/${short.id}/execute`, { input: 'bridges' })
  const started = await Promise.all(Array.from({ length: runs }, start))
  return started.map(({ id }) => id)
}

/** Follows each run so many times; HAProxy spreads the streams. Resolves once they are open. */
async function follow({ api, url }: Contender, ids: number[], streams: number): Promise<void> {
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
  prepare: async (contender) => {
    await follow(contender, await startWriting(contender, runs * contender.count), streams)
    return () => delay(STREAM_SECONDS * 1000)
  },
  finish: ({ untilIdle }) => untilIdle(),
})

const measurements: Measurement[] = [
  {
    name: `a step of a chain of ${STEPS}`,
    units: (processes) => CHAINS * STEPS * processes,
    prepare: async (contender) => () => startChains(contender),
  },
  {
    name: 'a call of `/v1`',
    units: (processes) => CALLS * processes,
    prepare: async (contender) => () => callChains(contender),
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
        ...(contender.count > 1 && ratio),
      })
    }
    print({ figure: `statements of ${figure}`, value: of(figure, 'statements').toFixed(2) })
  }
}

for (const { close } of contenders) await close()
await redis.close()
await postgres.close()
await provider.close()
process.exit(0)

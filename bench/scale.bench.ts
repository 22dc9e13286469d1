import { setTimeout as delay } from 'node:timers/promises'
import type { StartedRun } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { median, milliseconds, print } from './lib/measure.ts'
import { processorMs } from './lib/processor-time.ts'
import { type ScaleCluster, startCountingPostgres, startScaleCluster } from './lib/scale-cluster.ts'

const PROCESSES = [1, 2, 4]
const ROUNDS = Number(process.env.SCALE_ROUNDS ?? 5)
const CALLERS = 8
const STEPS = 5
const CHAINS = 60
const CALLS = 200
const STREAMS = 100
const STREAM_SECONDS = 10
const IDLE_MS = 5_000
/** A run that is followed writes so often. */
const PIECES_A_SECOND = 10
const ANSWER = 'An answer of some length. '.repeat(10)

interface Cost {
  program: number
  postgresql: number
  statements: number
}

type Contender = ScaleCluster & { count: number; short: Made; long: Made }
type Made = Awaited<ReturnType<ScaleCluster['makeChain']>>

// What a unit of work takes of the program's and of PostgreSQL's processors, and how many statements, with 1, 2 and 4
// processes behind HAProxy. They take turns; caller, provider and HAProxy are not counted.
const provider = await startFakeProvider({ vendor: 'openai' })
provider.replyByDefault({ text: ANSWER })
const postgres = await startCountingPostgres()
const contenders: Contender[] = []
for (const count of PROCESSES) {
  const databaseUrl = await postgres.create(`scale_${count}`)
  const cluster = await startScaleCluster({ count, databaseUrl, modelUrl: provider.url })
  const [short, long] = [await cluster.makeChain(1), await cluster.makeChain(STEPS)]
  contenders.push({ ...cluster, count, short, long })
}

async function together(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count
  const caller = async () => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

/** What one unit of `count` takes, without what the processes do anyway in that time. */
async function costOf(
  { pids, database }: Contender,
  { count, idle, work }: { count: number; idle: Cost; work: () => Promise<unknown> },
): Promise<Cost> {
  const [before, program, start] = [await postgres.read(database), processorMs(pids), performance.now()]
  await work()
  const seconds = (performance.now() - start) / 1000
  const [after, programAfter] = [await postgres.read(database), processorMs(pids)]
  return {
    program: (programAfter - program - idle.program * seconds) / count,
    postgresql: (after.ms - before.ms - idle.postgresql * seconds) / count,
    statements: (after.statements - before.statements - idle.statements * seconds) / count,
  }
}

const nothing: Cost = { program: 0, postgresql: 0, statements: 0 }

async function startChains({ api, long, untilIdle }: Contender): Promise<void> {
  await together(CHAINS, () => api.post(`/api/chains/${long.id}/execute`, { input: 'bridges' }))
  await untilIdle()
}

async function callChains({ url, short }: Contender): Promise<void> {
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'bridges' }] })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${short.token}` }
  await together(CALLS, async () => {
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    await reply.text()
  })
}

/** Follows one run, which writes all the while, so many times; HAProxy spreads the streams. */
async function followRun({ api, url, short }: Contender): Promise<void> {
  const pieces = Array.from({ length: STREAM_SECONDS * PIECES_A_SECOND }, () => 'a piece of text ')
  provider.reply({ text: pieces, delayMs: 1000 / PIECES_A_SECOND })
  const { id } = await api.post<StartedRun>(`/api/chains/${short.id}/execute`, { input: 'bridges' })
  const cookie = api.cookies().map(({ name, value }) => `${name}=${value}`)
  const read = async () => {
    const reply = await fetch(`${url}/api/executions/${id}/events`, {
      headers: { cookie: cookie.join('; ') },
    })
    const text = await reply.text()
    if (!text.includes('event: end')) throw new Error(`a stream ended early: ${reply.status}`)
  }
  await Promise.all(Array.from({ length: STREAMS }, read))
}

const figures = [
  { name: `a step of a chain of ${STEPS}`, count: CHAINS * STEPS, work: startChains },
  { name: 'a call of `/v1`', count: CALLS, work: callChains },
  {
    name: `an open stream for a second, ${PIECES_A_SECOND} pieces`,
    count: STREAMS * STREAM_SECONDS,
    work: followRun,
  },
]
const costs = new Map<string, Cost[]>()
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const contender of contenders) {
    const second = IDLE_MS / 1000
    const idle = await costOf(contender, { count: second, idle: nothing, work: () => delay(IDLE_MS) })
    for (const { name, count, work } of figures) {
      const cost = await costOf(contender, { count, idle, work: () => work(contender) })
      // The first round warms up.
      const key = `${name}, ${contender.count}`
      if (round > 0) costs.set(key, [...(costs.get(key) ?? []), cost])
    }
  }
}

const of = (name: string, count: number, part: keyof Cost) =>
  median((costs.get(`${name}, ${count}`) ?? []).map((cost) => cost[part]))
for (const { name } of figures) {
  for (const count of PROCESSES) {
    const figure = `${name}, ${count === 1 ? 'one process' : `${count} processes`}`
    for (const [part, where] of [
      ['program', 'program'],
      ['postgresql', 'PostgreSQL'],
    ] as const) {
      const [value, floor] = [of(name, count, part), of(name, 1, part)]
      print({
        figure: `processor time of ${figure}: ${where}`,
        value: milliseconds(value),
        ...(count > 1 && {
          floor: `${milliseconds(floor)} one process`,
          ratio: (value / floor).toFixed(2),
          target: '≤ 1.1',
        }),
      })
    }
    print({ figure: `statements of ${figure}`, value: of(name, count, 'statements').toFixed(1) })
  }
}

for (const { close } of contenders) await close()
await postgres.close()
await provider.close()
process.exit(0)

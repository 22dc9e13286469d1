import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { runCommand } from './harness/command.ts'
import { type Follower, type LiveRun, startLiveRuns } from './harness/live-runs.ts'
import { root } from './harness/package.ts'
import { type RunningRedis, startRedis } from './harness/redis.ts'
import { type RunningServer, startServer } from './harness/server.ts'

/** Where runs go on, and as many where they are followed. */
const PROCESSES = 4
const MOST_RUNS = 1_000
const AT_ONCE = 16
const BOTH_EVERY = 9
const PATIENCE_MS = 900_000
const INTEREST_COUNTS_MS = 25_000
const SWEEP_MS = 5_000

let redis: RunningRedis
let live: Awaited<ReturnType<typeof startLiveRuns>>
let owners: RunningServer[]
let webs: RunningServer[]
let databaseUrl: string
const secret = 'shared by all processes of this instance'
beforeAll(async () => {
  redis = await startRedis()
  live = await startLiveRuns()
  databaseUrl = await createServerDatabase()
  // All are of one person, to whom three quarters are given at most. A process takes up its own runs, and shares out calls.
  const atOnce = Math.ceil(((MOST_RUNS / PROCESSES + AT_ONCE) * 4) / 3)
  const env = {
    ...live.env,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secret,
    BUS_URL: redis.url,
    METRICS: 'on',
    CHAIN_RUNS_AT_ONCE: String(atOnce),
    MODEL_CALLS_AT_ONCE: String(atOnce * 2 * PROCESSES),
  }
  const start = (role: string) =>
    Promise.all(Array.from({ length: PROCESSES }, () => startServer({ env: { ...env, ROLE: role } })))
  owners = await start('all')
  webs = await start('web')
  await live.prepare(urlOf(webs, 0))
  await vi.waitFor(async () => expect(await read(/^bus_up (\d)/m)).toBe(2 * PROCESSES), 30_000)
}, PATIENCE_MS)
afterAll(async () => {
  for (const server of [...(owners ?? []), ...(webs ?? [])]) await server.dispose()
  await live?.close()
  await redis?.close()
})

const urlOf = (servers: RunningServer[], index: number) => servers[index % servers.length]?.url ?? ''
const BY_BUS = /^run_messages_total\{way="bus",what="text"\} (\d+)/m
const BY_DATABASE = /^run_messages_total\{way="database",what="text"\} (\d+)/m
const PROCESSOR = /^process_cpu_seconds_total (\S+)/m
const INTEREST = /^run_messages_total\{way="database",what="follow"\} (\d+)/m

async function metricsOf({ url }: RunningServer): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}

/** The sum of a figure of these processes. */
async function read(metric: RegExp, servers = [...owners, ...webs]): Promise<number> {
  const texts = await Promise.all(servers.map(metricsOf))
  return texts.reduce((sum, text) => sum + Number(metric.exec(text)?.[1] ?? 0), 0)
}

async function inTurns<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let first = 0; first < count; first += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => first + index)
    made.push(...(await Promise.all(indexes.map(make))))
  }
  return made
}

interface Followed {
  run: LiveRun
  follower: Follower
}

/** Runs in all owners, each followed by a process of the others; their models are asked. */
async function startFollowed(count: number, said: { pieces: number; pieceMs?: number }): Promise<Followed[]> {
  const runs = await inTurns(count, (index) => live.start(urlOf(owners, index), said))
  await Promise.all(runs.map(({ asked }) => asked.promise))
  return inTurns(count, async (index) => {
    const run = runs[index] as LiveRun
    return { run, follower: await live.follow(urlOf(webs, Math.floor(index / PROCESSES)), run) }
  })
}

/** Every text is whole, and none of it came twice. */
async function expectWhole(followed: Followed[]): Promise<void> {
  const ends = await Promise.all(followed.map(({ follower }) => follower.ended))
  expect(ends.filter((status) => status !== 'completed')).toEqual([])
  const wrong = followed.filter(({ run, follower }) => follower.sent !== run.text)
  expect(
    wrong.map(({ run, follower }) => ({ id: run.id, of: run.text.length, has: follower.sent.length })),
  ).toEqual([])
}

const p = (values: number[], share: number) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN)

test.each([
  { runs: 100, pieces: 20, pieceMs: 500 },
  { runs: MOST_RUNS, pieces: 20, pieceMs: 1_000 },
  { runs: MOST_RUNS, pieces: 40, pieceMs: 500 },
])(
  'With `BUS_URL` a Redis or Valkey carries the text of 1,000 followed runs past the database; `/metrics` tells whether it is up. ($runs, $pieceMs)',
  async ({ runs, pieces, pieceMs }) => {
    const before = {
      bus: await read(BY_BUS),
      database: await read(BY_DATABASE),
      interest: await read(INTEREST),
    }
    const followed = await startFollowed(runs, { pieces, pieceMs })
    // Some of each process are read where they go on as well.
    const both = followed.flatMap(({ run, follower }, index) =>
      index % BOTH_EVERY === 0 ? [{ run, follower, index }] : [],
    )
    const atOwner = await inTurns(both.length, async (index) => {
      const each = both[index] as (typeof both)[number]
      return { ...each, owner: await live.follow(urlOf(owners, each.index), each.run) }
    })
    const used = { owners: await read(PROCESSOR, owners), webs: await read(PROCESSOR, webs) }
    const started = performance.now()
    live.speak()
    await expectWhole(followed)
    const seconds = (performance.now() - started) / 1000
    const msEach = async (servers: RunningServer[], before: number) =>
      (((await read(PROCESSOR, servers)) - before) * 1000) / (runs * pieces)
    const costs = [await msEach(owners, used.owners), await msEach(webs, used.webs)]

    const behind = atOwner.flatMap(({ follower, owner }) =>
      follower.readAt.map((at, index) => at - (owner.readAt[index] ?? Number.NaN)),
    )
    const afterModel = followed.flatMap(({ run, follower }) =>
      follower.readAt.map((at, index) => at - (run.writtenAt[index] ?? Number.NaN)),
    )
    const sent = (await read(BY_BUS)) - before.bus
    const lags = await Promise.all([...owners, ...webs].map(lagOf))
    console.log(
      `${runs} runs followed elsewhere for ${seconds.toFixed(0)} s, ${PROCESSES} + ${PROCESSES} processes: behind the owner ` +
        `p50 ${p(behind, 0.5)}, p95 ${p(behind, 0.95)}, p99 ${p(behind, 0.99)} ms (${behind.length} pieces); behind the model ` +
        `p50 ${p(afterModel, 0.5)}, p95 ${p(afterModel, 0.95)} ms; ${(sent / seconds).toFixed(0)} messages/s by the bus, ` +
        `${costs.map((ms) => ms.toFixed(2)).join(' and ')} ms of processor a piece where it goes on and where it is followed, ` +
        `${((await read(INTEREST)) - before.interest).toFixed(0)} notes of interest in all; event loops lag ${lags.join(', ')} ms at p99`,
    )
    expect(sent).toBeGreaterThan(0)
    expect((await read(BY_DATABASE)) - before.database).toBe(0)
  },
  PATIENCE_MS,
)

async function lagOf(server: RunningServer): Promise<number> {
  const [, seconds] = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await metricsOf(server)) ?? []
  return Math.round(Number(seconds) * 1000)
}

test.each([
  { what: 'killed', away: () => redis.kill(), back: () => redis.restart() },
  { what: 'stopped without an end of its connections', away: redisStop, back: redisGoOn },
])(
  'When the bus was killed or stopped, and is back, texts are whole, nothing comes twice, and they go by the bus again. ($what)',
  async ({ away, back }) => {
    const before = await read(BY_DATABASE)
    const followed = await startFollowed(40, { pieces: 40 })
    live.speak()
    await sleep(4_000)
    const early = followed[0] as Followed
    const late = { run: early.run, follower: await live.follow(urlOf(webs, 1), early.run) }
    await away()
    await vi.waitFor(async () => expect(await read(BY_DATABASE)).toBeGreaterThan(before), 30_000)
    const during = { run: early.run, follower: await live.follow(urlOf(webs, 2), early.run) }
    await back()
    await vi.waitFor(async () => expect(await read(/^bus_up (\d)/m)).toBe(2 * PROCESSES), 30_000)
    await expectWhole([...followed, late, during])
    const again = await startFollowed(8, { pieces: 4 })
    const counted = { bus: await read(BY_BUS), database: await read(BY_DATABASE) }
    live.speak()
    await expectWhole(again)
    expect(await read(BY_BUS)).toBeGreaterThan(counted.bus)
    expect(await read(BY_DATABASE)).toBe(counted.database)
  },
  PATIENCE_MS,
)

async function redisStop(): Promise<void> {
  redis.pause()
}

async function redisGoOn(): Promise<void> {
  redis.resume()
}

test('A run that nobody follows any more is sent to nobody after half a minute.', async () => {
  const [run] = await inTurns(1, (index) => live.start(urlOf(owners, index), { pieces: 1_000 }))
  if (run === undefined) throw new Error('no run')
  onTestFinished(() => live.cancel(urlOf(owners, 0), run))
  const follower = await live.follow(urlOf(webs, 0), run)
  live.speak()
  await vi.waitFor(() => expect(follower.readAt.length).toBeGreaterThan(3), 30_000)
  follower.leave()
  await sleep(INTEREST_COUNTS_MS + 2 * SWEEP_MS)
  const before = (await read(BY_BUS)) + (await read(BY_DATABASE))
  await sleep(3_000)
  expect((await read(BY_BUS)) + (await read(BY_DATABASE))).toBe(before)
  const again = await live.follow(urlOf(webs, 1), run)
  await vi.waitFor(() => expect(again.readAt.length).toBeGreaterThan(50), 30_000)
  expect(run.text.startsWith(again.sent)).toBe(true)
  again.leave()
}, 120_000)

test('`doctor` sends itself a word by the bus, and says why that does not come back. Nothing shows the password in `BUS_URL`.', async () => {
  const ask = async (url: string) => {
    const trusted = { NODE_EXTRA_CA_CERTS: redis.authority }
    const env = { DATABASE_URL: databaseUrl, SECRET_KEY: secret, BUS_URL: url, ...trusted }
    return (await runCommand(['doctor'], { dataDir: webs[0]?.dataDir ?? '', env })).out
  }
  const good = await ask(redis.url)
  expect(good).toMatch(/^ {2}ok {9}The bus at 127\.0\.0\.1:\d+ carries what is sent to it$/m)
  expect(await ask(redis.secureUrl)).toMatch(
    /^ {2}ok {9}The bus at localhost:\d+ carries what is sent to it$/m,
  )
  const guide = await readFile(join(root, 'docs/guide/scale.md'), 'utf8')
  const [, user = ''] = /^(ACL SETUSER .*)$/m.exec(guide) ?? []
  await redis.type(user)
  expect(await ask(redis.url.replace(`:${redis.password}`, 'catenary:password'))).toMatch(
    /carries what is sent to it$/m,
  )
  const wrong = await ask(redis.url.replace(redis.password, 'another-canary'))
  expect(wrong).toMatch(/^ {2}problem {4}The bus at 127\.0\.0\.1:\d+ can’t be used: WRONGPASS/m)
  const none = await ask('redis://:third-canary@127.0.0.1:1')
  expect(none).toMatch(/^ {2}problem {4}The bus at 127\.0\.0\.1:1 can’t be used: .*ECONNREFUSED/m)
  const said = [good, wrong, none, ...[...owners, ...webs].map((server) => server.logs())].join('\n')
  expect(said).toContain('the bus carries')
  expect(said).not.toContain('canary')
})

import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedChainToken } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import { connectTo } from '../apps/server/src/testing/connect.ts'
import { startDatabaseProxy } from '../apps/server/src/testing/database-proxy.ts'
import { type ChainLoad, createChainLoad } from './harness/chain-load.ts'
import { type Cluster, startCluster } from './harness/cluster.ts'
import { startPatroniPair } from './harness/patroni-pair.ts'
import { startServer } from './harness/server.ts'

/** `FAILOVERS=2 npm run test:scale -- e2e/survive.scale.ts` is a short try. */
const FAILOVERS = Number(process.env.FAILOVERS ?? 20)
/** Each takes as long as Patroni waits for a primary that says nothing. */
const FAILOVERS_BY_PATRONI = 3
const STOPPED_SECONDS = Number(process.env.STOPPED_SECONDS ?? 60)
const CHAINS_A_FAILOVER = 10
const STEPS = 5
const QUOTAS = '{"writes": 1000000, "reads": 1000000, "categories": 100000}'
const TIMEOUT_MS = 1_800_000
const PROBE_MS = 50

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Started = Parameters<typeof startCluster>[0]

async function start(
  roles: Started['roles'],
  startPair?: Started['startPair'],
): Promise<{ cluster: Cluster; load: ChainLoad }> {
  const load = await createChainLoad({ steps: STEPS })
  closing.push(load.close)
  const cluster = await startCluster({ roles, env: { ...load.env, QUOTAS }, startPair })
  closing.push(cluster.close)
  cluster.showLogs()
  await load.prepare(cluster.api)
  return { cluster, load }
}

/** Asks every so often whether something works, without waiting for the answer before; when it first did, and all that did. */
function probe(attempt: (at: number) => Promise<boolean>) {
  const since = performance.now()
  const first = Promise.withResolvers<number>()
  const worked: number[] = []
  let count = 0
  const asked: Promise<void>[] = []
  const timer = setInterval(() => {
    count += 1
    const at = count
    asked.push(
      attempt(at).then(
        (works) => {
          if (!works) return
          worked.push(at)
          first.resolve(performance.now() - since)
        },
        () => {},
      ),
    )
  }, PROBE_MS)
  return {
    first: first.promise,
    worked,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(asked)
    },
  }
}

/** Calls the chain as a program does: with a key, again and again until it is answered. */
async function callUntilAnswered({ url, token, name }: { url: string; token: string; name: string }) {
  for (;;) {
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'idempotency-key': name,
      },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: name }] }),
    }).catch(() => undefined)
    await reply?.text().catch(() => undefined)
    if (reply?.status === 200) return
    await sleep(250)
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** So many rows have the same name or input, which one write or start gave. */
async function findDoubled({ pair }: Cluster): Promise<unknown[]> {
  const client = await pair.connect()
  const { rows } = await client.query(`
    select user_input as name, count(*), string_agg(concat_ws(' ', id, status, error_code, attempt), ', ' order by id) as runs
      from executions where user_input <> '' group by 1 having count(*) > 1
    union all select name, count(*), '' from categories group by 1 having count(*) > 1`)
  await client.end()
  return rows
}

async function listCategories({ pair }: Cluster): Promise<Set<string>> {
  const client = await pair.connect()
  const { rows } = await client.query<{ name: string }>('select name from categories')
  await client.end()
  return new Set(rows.map(({ name }) => name))
}

test.each([
  { failovers: FAILOVERS, by: 'hand', startPair: undefined },
  { failovers: FAILOVERS_BY_PATRONI, by: 'Patroni', startPair: startPatroniPair },
])(
  '$failovers failovers by $by to a synchronous standby under load lose nothing, double nothing and repeat at most one call a run',
  async ({ failovers, startPair }) => {
    const { cluster, load } = await start(['all', 'all', 'all'], startPair)
    const { api, pair, url, databaseUrl } = cluster
    const body = { name: 'Load', chainId: load.chainId }
    const { token } = await api.post<CreatedChainToken>('/api/tokens', body)
    const names = { calls: [] as string[], schedules: [] as string[], categories: [] as string[] }
    const answered: Promise<void>[] = []
    const times: { sql: number; call: number }[] = []

    for (let round = 0; round < failovers; round += 1) {
      const schedule = {
        ...{ scheduledTime: new Date(Date.now() + 4_000).toISOString(), timeZone: 'UTC', isRecurring: false },
        input: `schedule-${round}`,
      }
      await api.post(`/api/chains/${load.chainId}/schedule`, schedule)
      names.schedules.push(schedule.input)
      for (const each of ['a', 'b']) {
        const name = `call-${round}${each}`
        names.calls.push(name)
        answered.push(callUntilAnswered({ url, token, name }))
      }
      await load.start({ api, count: CHAINS_A_FAILOVER / 2, kills: round })
      await pair.failOver()
      const sql = probe(() => canWrite(databaseUrl))
      const calls = probe(async (at) => {
        const name = `round ${round} ${at}`
        const reply = await api.call('POST', '/api/categories', { name })
        if (reply.status === 201) names.categories.push(name)
        return reply.status === 201
      })
      await load.start({ api, count: CHAINS_A_FAILOVER / 2, kills: round })
      times.push({ sql: await sql.first, call: await calls.first })
      await Promise.all([sql.stop(), calls.stop()])
      await pair.repair()
      // What the failover refused is started now.
      while (load.acknowledged < (round + 1) * CHAINS_A_FAILOVER)
        await load.start({ api, count: 1, kills: round + 1 })
    }

    await load.waitForAll({ api, timeoutMs: 180_000 })
    await Promise.all(answered)
    const all = [...names.calls, ...names.schedules]
    const faults = () => load.findFaultsOf({ names: all, kills: failovers })
    await expect.poll(faults, { timeout: 120_000, interval: 500 }).toEqual([])
    expect(load.findFaults({ kills: failovers })).toEqual([])
    expect(await findDoubled(cluster)).toEqual([])
    const kept = await listCategories(cluster)
    expect(names.categories.filter((name) => !kept.has(name))).toEqual([])
    for (const [what, values] of [
      ['a connection', times.map((time) => time.sql)],
      ['a call', times.map((time) => time.call)],
    ] as const)
      console.log(
        `after promotion ${what} first worked after ${Math.round(median(values))} ms (median), ` +
          `${Math.round(Math.max(...values))} ms (most): ${values.map(Math.round).join(' ')}`,
      )
    console.log(`${load.acknowledged} chains, ${load.calls} model calls, ${load.repeated} repeated`)
  },
  TIMEOUT_MS,
)

async function canWrite(connectionString: string): Promise<boolean> {
  const client = await connectTo(connectionString)
  try {
    const { rows } = await client.query('select not pg_is_in_recovery() as writes')
    return rows[0].writes
  } finally {
    await client.end().catch(() => {})
  }
}

test(
  'kill -9 of a process of each kind in turn costs no run, and at most one repeated call a kill',
  async () => {
    const { cluster, load } = await start(['web', 'worker', 'all', 'web', 'worker'])
    const { api, processes } = cluster
    for (const [kills, victim] of processes.slice(0, 3).entries()) {
      await load.start({ api, count: 20, kills })
      await sleep(60)
      await victim.kill()
      await load.start({ api, count: 5, kills: kills + 1 })
      await victim.restart()
    }
    await load.waitForAll({ api, timeoutMs: 240_000 })
    expect(load.findFaults({ kills: 3 })).toEqual([])
    expect(await findDoubled(cluster)).toEqual([])
    expect(load.acknowledged).toBeGreaterThanOrEqual(60)
  },
  TIMEOUT_MS,
)

test(
  'a process that sleeps beyond its leases wakes and writes nothing of what others have finished meanwhile',
  async () => {
    const { cluster, load } = await start(['web', 'worker', 'worker'])
    const { api, processes, pair } = cluster
    const sleeper = processes[1]
    load.pace(3_000)
    await load.start({ api, count: 20, kills: 0 })
    await sleep(1_000)
    process.kill(sleeper?.pid() ?? 0, 'SIGSTOP')
    try {
      load.pace(40)
      await sleep(STOPPED_SECONDS * 1_000)
      await load.waitForAll({ api, timeoutMs: 120_000 })
    } finally {
      process.kill(sleeper?.pid() ?? 0, 'SIGCONT')
    }
    const snapshot = async () => {
      const client = await pair.connect()
      const { rows } = await client.query(
        `select md5(string_agg(e::text, '|' order by id)) as runs,
          (select md5(string_agg(s::text, '|' order by execution_id, position)) from execution_steps s) as steps
         from executions e`,
      )
      await client.end()
      return rows[0]
    }
    const before = await snapshot()
    // Its timers and the answers that came while it slept are all due at once.
    await sleep(12_000)
    expect(await snapshot()).toEqual(before)
    expect(load.findFaults({ kills: 1 })).toEqual([])
    const { status } = await fetch(`${sleeper?.url}/readyz`)
    expect(status).toBe(200)
  },
  TIMEOUT_MS,
)

test(
  'a process whose way to the database is cut loses its runs to the others, and serves again once it is mended',
  async () => {
    const { cluster, load } = await start(['web', 'worker', 'worker'])
    const proxy = await startDatabaseProxy(cluster.databaseUrl)
    closing.push(async () => proxy.close())
    const { api } = cluster
    const SECRET_KEY = 'shared by all processes of this instance'
    const cut = await startServer({
      env: { ...load.env, ROLE: 'worker', DATABASE_URL: proxy.url, PUBLIC_URL: cluster.url, SECRET_KEY },
    })
    closing.push(cut.dispose)
    load.pace(2_000)
    await load.start({ api, count: 30, kills: 0 })
    await sleep(500)
    proxy.cut()
    load.pace(40)
    await load.start({ api, count: 10, kills: 1 })
    await load.waitForAll({ api, timeoutMs: 240_000 })
    proxy.mend()
    await expect
      .poll(async () => (await fetch(`${cut.url}/readyz`)).status, { timeout: 60_000, interval: 200 })
      .toBe(200)
    expect(load.findFaults({ kills: 1 })).toEqual([])
    expect(await findDoubled(cluster)).toEqual([])
  },
  TIMEOUT_MS,
)

import { setTimeout as sleep } from 'node:timers/promises'
import { createJobs } from '../apps/server/src/platform/jobs/jobs.ts'
import { createLog } from '../apps/server/src/platform/log/log.ts'
import { openBenchDatabase } from './lib/library.ts'
import { median, milliseconds, print } from './lib/measure.ts'

const DUE = 1_000
const DUE_WITHIN_MS = 20_000
/** Beside them, as many by the shortest way. */
const FLOOR = 250
const SENT = 300
const WAITING = 10_000
const IDLE_MS = 60_000

const now = () => performance.timeOrigin + performance.now()

async function measure(kind: 'embedded' | 'server'): Promise<void> {
  const bench = await openBenchDatabase(kind)
  const { db, pool } = bench.database
  const jobs = createJobs({ database: bench.database, log: createLog({ level: 'silent' }) })
  const late: number[] = []
  const due = jobs.queue<{ at: number }>('due')
  due.work({ concurrency: 8, handle: async ({ payload }) => void late.push(now() - payload.at) })
  jobs.queue('waiting').work({ handle: async () => undefined })

  const began = performance.now()
  await jobs.start({ work: true })
  print({ figure: `jobs: start, ${kind}`, value: milliseconds(performance.now() - began) })

  for (let sent = 0; sent < SENT; sent += 1) {
    await due.send(db, { key: `${sent}`, payload: { at: now() } })
    while (late.length === sent) await sleep(1)
  }
  print({
    figure: `jobs: from the send to the handler, median of ${SENT}, ${kind}`,
    value: milliseconds(median(late)),
  })

  late.length = 0
  const floor: number[] = []
  const first = now() + 2_000
  const dueTimes = (count: number) =>
    Array.from({ length: count }, () => first + Math.random() * DUE_WITHIN_MS)
  await pool.query('create table floor (id serial primary key, at float8)')
  const write = { name: 'floor', text: 'insert into floor (at) values ($1)' }
  for (const at of dueTimes(FLOOR)) {
    setTimeout(async () => {
      await pool.query({ ...write, values: [at] })
      floor.push(now() - at)
    }, at - now())
  }
  await pool.query(
    `insert into jobs (queue, key, payload, run_at, next_at)
     select 'due', 'due ' || at, json_build_object('at', at), to_timestamp(at / 1000), to_timestamp(at / 1000)
     from unnest($1::float8[]) at`,
    [dueTimes(DUE)],
  )
  while (late.length < DUE || floor.length < FLOOR) await sleep(100)
  const medianAndMost = (times: number[]) =>
    `${milliseconds(median(times))} / ${milliseconds(Math.max(...times))}`
  print({
    figure: `jobs: lateness of ${DUE} that become due within ${DUE_WITHIN_MS / 1_000} s, p50 / max, ${kind}`,
    value: medianAndMost(late),
    floor: `${medianAndMost(floor)} a timer and a plain row`,
    ratio: (median(late) / median(floor)).toFixed(2),
    target: '≤ 10 / 50 ms',
  })

  await pool.query(
    `insert into jobs (queue, key, run_at, next_at)
     select 'waiting', n, now() + interval '1 day', now() + interval '1 day' from generate_series(1, ${WAITING}) n`,
  )
  await sleep(1_000)
  let statements = 0
  pool.on('acquire', () => {
    statements += 1
  })
  await sleep(IDLE_MS)
  print({ figure: `jobs: statements a minute while ${WAITING} wait, ${kind}`, value: String(statements) })
  await jobs.stop()
  await bench.close()
}

await measure('embedded')
await measure('server')

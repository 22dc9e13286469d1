import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../apps/server/src/app.ts'
import { createLog } from '../apps/server/src/platform/log/log.ts'
import { createModels } from '../apps/server/src/platform/models/models.ts'
import { readSettings } from '../apps/server/src/platform/settings/settings.ts'
import { openBenchDatabase } from './lib/library.ts'
import { median, milliseconds, print } from './lib/measure.ts'

const ACTIVE = 1_000
const DUE_WITHIN_MS = 20_000
/** Beside them, as many by the shortest way. */
const FLOOR = 250
const WAITING = 10_000
const IDLE_MS = 60_000
const DAY_MS = 86_400_000

const now = () => performance.timeOrigin + performance.now()

const CHAIN = `
  insert into users (name, email, username, display_username) values ('b', 'b@example.org', 'b', 'b');
  insert into chains (owner_id, name) select id, 'bench' from users;
  insert into chain_steps (chain_id, position, content, model, output_variable_name)
    select id, 0, 'Write.', 'openai', 'out' from chains`

/** Daily schedules that are first due at these times, each with its job. */
const FILL = `
  with made as (
    insert into scheduled_runs
      (chain_id, created_by, name, scheduled_time, time_zone, is_recurring, recurring_type, next_due_at)
    select chains.id, owner_id, 'bench', at, 'Europe/Berlin', true, 'daily', at
    from chains, unnest($1::timestamptz[]) at returning id, next_due_at
  )
  insert into jobs (queue, key, payload, run_at, next_at)
  select 'schedules', id || ':bench', json_build_object('scheduleId', id, 'dueAt', next_due_at), next_due_at, next_due_at
  from made`

async function measure(kind: 'embedded' | 'server'): Promise<void> {
  const bench = await openBenchDatabase(kind)
  const { database } = bench
  const { pool } = database
  const log = createLog({ level: 'silent' })
  const settings = {
    ...readSettings({ LOG_LEVEL: 'silent' }),
    secretKey: 'a secret key for this bench alone',
  }
  const models = createModels({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
  const app = await buildApp({ settings, database, models, log })
  await pool.query(CHAIN)
  await app.start()

  const count = async (where: string) =>
    Number((await pool.query(`select count(*) from scheduled_occurrences where ${where}`)).rows[0]?.count)
  const first = now() + 3_000
  const dueTimes = (many: number) =>
    Array.from({ length: many }, () => Math.ceil(first + Math.random() * DUE_WITHIN_MS))
  const floor: number[] = []
  await pool.query('create table floor (id serial primary key, at float8)')
  const write = { name: 'floor', text: 'insert into floor (at) values ($1)' }
  for (const at of dueTimes(FLOOR)) {
    setTimeout(async () => {
      await pool.query({ ...write, values: [at] })
      floor.push(now() - at)
    }, at - now())
  }
  await pool.query(FILL, [dueTimes(ACTIVE).map((at) => new Date(at))])
  while ((await count(`state = 'completed'`)) < ACTIVE) await sleep(2_000)
  const { rows } = await pool.query<{ late: number }>(
    `select (extract(epoch from started_at - due_at) * 1000)::float8 as late from scheduled_occurrences`,
  )
  const medianAndMost = (times: number[]) =>
    `${milliseconds(median(times))} / ${milliseconds(Math.max(...times))}`
  const late = rows.map((row) => row.late)
  print({
    figure: `schedules: lateness of ${ACTIVE} that become due within ${DUE_WITHIN_MS / 1_000} s, p50 / max, ${kind}`,
    value: medianAndMost(late),
    floor: `${medianAndMost(floor)} a timer and a plain row`,
    ratio: (median(late) / median(floor)).toFixed(2),
    target: '≤ 10 / 50 ms',
  })

  const tomorrow = Date.now() + DAY_MS
  await pool.query(FILL, [Array.from({ length: WAITING }, () => new Date(tomorrow))])
  await sleep(1_000)
  let statements = 0
  pool.on('acquire', () => {
    statements += 1
  })
  await sleep(IDLE_MS)
  print({
    figure: `schedules: statements a minute of an idle program while ${WAITING} wait, ${kind}`,
    value: String(statements),
  })
  await app.close()
  await models.close()
  await bench.close()
}

await measure('embedded')
await measure('server')

import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { User } from '@catenary/contracts'
import { buildApp } from '../apps/server/src/app.ts'
import { OWN_TEXTS_ONLY } from '../apps/server/src/features/records/records.ts'
import { startChainRun } from '../apps/server/src/features/runs/runs.ts'
import { createLog } from '../apps/server/src/platform/log/log.ts'
import { createModels } from '../apps/server/src/platform/models/models.ts'
import { readSettings } from '../apps/server/src/platform/settings/settings.ts'
import { makeStepAsk } from '../apps/server/src/testing/asks.ts'
import { openBenchDatabase } from './lib/library.ts'
import { print } from './lib/measure.ts'

const WAITING = 1_000
const AT_ONCE = 20
const IDLE_MS = 60_000
/** Until what starting left behind is over: caches, sweeps, connections. */
const SETTLE_MS = 15_000
const BYTES_PER_MB = 1_048_576

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function measure(kind: 'embedded' | 'server'): Promise<void> {
  const bench = await openBenchDatabase(kind)
  const { database } = bench
  const { pool } = database
  const log = createLog({ level: 'silent' })
  const settings = {
    ...readSettings({ LOG_LEVEL: 'silent', RUNS_PER_MINUTE: '1000000' }),
    secretKey: 'a secret key for this bench alone',
  }
  const models = createModels({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
  const app = await buildApp({ settings, database, models, log })
  const { rows } = await pool.query<User>(`
    insert into users (name, email, username, display_username) values ('b', 'b@example.org', 'b', 'b')
    returning id, username, email, role`)
  const [user] = rows
  if (user === undefined) throw new Error('no user')
  const made = await pool.query<{ id: number }>(
    `insert into chains (owner_id, name) values ($1, 'Bench') returning id`,
    [user.id],
  )
  const chainId = made.rows[0]?.id ?? 0
  const ask = makeStepAsk({ role: 'owner', deadlineMinutes: 43_200 })
  await pool.query(
    `insert into chain_steps (chain_id, position, content, model, output_variable_name, settings)
    values ($1, 0, '', null, 'answer', $2)`,
    [chainId, JSON.stringify({ kind: 'ask', ask })],
  )
  await app.start()
  const waiting = async () =>
    Number((await pool.query(`select count(*) from asks where status = 'open'`)).rows[0]?.count)
  let statements = 0
  pool.on('acquire', () => {
    statements += 1
  })
  const idle = async () => {
    await sleep(SETTLE_MS)
    statements = 0
    await sleep(IDLE_MS)
    const counted = statements
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return { statements: counted, megabytes: (heapUsed + external) / BYTES_PER_MB }
  }
  const runMany = async () => {
    const before = await waiting()
    for (let begun = 0; begun < WAITING; begun += AT_ONCE) {
      const one = () =>
        startChainRun(app.ctx, { user, allowed: OWN_TEXTS_ONLY, chainId, input: 'Dear Halden' })
      await Promise.all(Array.from({ length: AT_ONCE }, one))
      while ((await waiting()) < before + begun + AT_ONCE) await sleep(20)
    }
  }

  // As many have waited and are gone, so that what their code and statements take is there already. All of it is over in
  // less than five minutes: what is due as often as that would fall into one of the two minutes.
  await runMany()
  await pool.query('delete from executions')
  await runMany()
  const beside = await idle()
  await pool.query('delete from executions')
  const without = await idle()
  const of = `while ${WAITING} runs wait for people, ${kind}`
  print({
    figure: `waiting: statements a minute of an idle program ${of}`,
    value: String(beside.statements),
    floor: `${without.statements} without`,
    ratio: (beside.statements / without.statements).toFixed(2),
    target: 'as without',
  })
  print({
    figure: `waiting: memory in use of an idle program ${of}`,
    value: `${beside.megabytes.toFixed(1)} MB`,
    floor: `${without.megabytes.toFixed(1)} MB without`,
    ratio: (beside.megabytes / without.megabytes).toFixed(2),
    target: 'as without',
  })
  await app.close()
  await models.close()
  await bench.close()
}

await measure('embedded')
await measure('server')

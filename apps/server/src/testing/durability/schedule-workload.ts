/** A program to be killed, or to kill itself at a statement: fires schedules and mails their results, until all is done where it is told to. */
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../database/open/client.ts'
import { createLog } from '../../platform/log/log.ts'
import { createModels } from '../../platform/models/models.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { RECURRING_QUEUES } from '../recurring-jobs.ts'

const { DATA_DIR = '', DATABASE_URL, DIE_FROM = '', DIE_AT = '', UNTIL_DONE = 'off' } = process.env

const LEFT_TO_DO = `select 1 from jobs where queue not in (${RECURRING_QUEUES})
  union all select 1 from executions where status = 'running'`

const database = await openDatabase({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL, fsync: true })
const settings = { ...readSettings(), secretKey: 'a secret key of a program to be killed' }
const log = createLog({ level: 'silent' })
const models = createModels({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
const app = await buildApp({ settings, database, models, log })

if (DIE_AT !== '') {
  const from = Date.parse(DIE_FROM)
  let statements = 0
  const seen = new WeakSet<object>()
  database.pool.on('acquire', (client) => {
    if (seen.has(client)) return
    seen.add(client)
    const send = client.query.bind(client) as (...args: unknown[]) => unknown
    const counted = (...args: unknown[]): unknown => {
      if (Date.now() >= from && args[0] !== LEFT_TO_DO) statements += 1
      if (statements === Number(DIE_AT)) process.kill(process.pid, 'SIGKILL')
      return send(...args)
    }
    Object.assign(client, { query: counted })
  })
}

await app.start()
console.log('open')

async function isDone(): Promise<boolean> {
  return (await database.pool.query(LEFT_TO_DO)).rows.length === 0
}

if (UNTIL_DONE === 'on') {
  while (!(await isDone())) await sleep(100)
  process.exit(0)
}

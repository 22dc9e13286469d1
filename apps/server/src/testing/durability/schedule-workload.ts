/** A program to be killed: fires schedules and mails their results; by itself at a statement, where it is told to. */
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../db/client.ts'
import { createLog } from '../../platform/log/log.ts'
import { createModels } from '../../platform/models/models.ts'
import { readSettings } from '../../settings.ts'

const { DATA_DIR = '', DIE_FROM = '', DIE_AT = '' } = process.env

const database = await openDatabase({ dataDir: DATA_DIR, fsync: true })
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
      if (Date.now() >= from) statements += 1
      if (statements === Number(DIE_AT)) process.kill(process.pid, 'SIGKILL')
      return send(...args)
    }
    Object.assign(client, { query: counted })
  })
}

await app.start()
console.log('open')

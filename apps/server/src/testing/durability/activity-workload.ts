/** A program to be killed: makes tags, journals which it was told of, and links the activity all the time. */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../database/open/client.ts'
import { linkActivity } from '../../features/activity/activity.ts'
import { createLog } from '../../platform/log/log.ts'
import { createModels } from '../../platform/models/models.ts'
import { readSettings } from '../../platform/settings/settings.ts'

const { DATA_DIR = '', DATABASE_URL, HEADERS = '{}', JOURNAL = '', NAMED = '', SECRET = '' } = process.env
const CALLERS = 4
const BETWEEN_LINKS_MS = 5
const QUOTAS = '{"text": 1000000000, "writes": 1000000, "reads": 1000000, "tags": 1000000}'

const database = await openDatabase({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL, fsync: true })
const settings = {
  ...readSettings({ LOG_LEVEL: 'silent', PUBLIC_URL: 'http://localhost', QUOTAS }),
  secretKey: SECRET,
}
const log = createLog({ level: 'silent' })
const models = createModels({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
const app = await buildApp({ settings, database, models, log })
await app.start()
console.log('open')

async function makeTags(caller: number): Promise<void> {
  for (let made = 0; ; made += 1) {
    const reply = await app.http.inject({
      method: 'POST',
      url: '/api/tags',
      headers: JSON.parse(HEADERS),
      payload: { name: `${NAMED}-${caller}-${made}` },
    })
    if (reply.statusCode !== 201) throw new Error(reply.body)
    appendFileSync(JOURNAL, `${reply.json().id}\n`)
  }
}

async function linkAll(): Promise<void> {
  for (;;) {
    await linkActivity(app.ctx)
    await sleep(BETWEEN_LINKS_MS)
  }
}

await Promise.all([linkAll(), ...Array.from({ length: CALLERS }, (_, caller) => makeTags(caller))])

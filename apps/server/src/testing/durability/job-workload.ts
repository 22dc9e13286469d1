/** A program to be killed: starts runs, sends jobs, and journals what it was acknowledged, was told and did. */

import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../database/open/client.ts'
import { OWN_TEXTS_ONLY } from '../../features/records/consent.ts'
import { onRunEnded, startChainRun } from '../../features/runs/runs.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { createLog } from '../../platform/log/log.ts'
import { createModels } from '../../platform/models/models.ts'
import { readSettings } from '../../platform/settings/settings.ts'

const { DATA_DIR = '', CHAIN_ID = '', USER = '{}', JOURNAL = '', STARTS = 'on' } = process.env
const CALLERS = 4
const LATEST_MS = 300

const note = (what: string) => appendFileSync(JOURNAL, `${what}\n`)
const database = await openDatabase({ dataDir: DATA_DIR, fsync: true })
const settings = {
  ...readSettings({ LOG_LEVEL: 'silent' }),
  secretKey: 'a secret key of a program to be killed',
}
const log = createLog({ level: 'silent' })
const models = createModels({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
const app = await buildApp({ settings, database, models, log })
const { ctx } = app
onRunEnded(ctx, { subscriber: 'ends', handle: async ({ reference }) => note(`told ${reference}`) })
onRunEnded(ctx, { subscriber: 'later', handle: async ({ reference }) => note(`done ${reference}`) })
await app.start()
console.log('open')

const later = createJobs({ database, log }).queue('run-ended:later')

async function startRuns(): Promise<void> {
  for (;;) {
    const reference = randomUUID()
    const run = {
      user: JSON.parse(USER),
      chainId: Number(CHAIN_ID),
      allowed: OWN_TEXTS_ONLY,
      subscribers: { ends: reference },
    }
    await startChainRun(ctx, run)
    note(`started ${reference}`)
    const runAt = new Date(Date.now() + Math.random() * LATEST_MS)
    await later.send(database.db, { key: reference, payload: { reference }, runAt })
    note(`sent ${reference}`)
    await delay(10)
  }
}

if (STARTS === 'on') await Promise.all(Array.from({ length: CALLERS }, startRuns))

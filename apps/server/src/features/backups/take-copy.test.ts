import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'
import type { BackupsDeps } from './backups-deps.ts'
import { takeCopy } from './take-copy.ts'

const PATIENCE_MS = 300_000

let place: string
let app: TestApp
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'take-copy-'))
  app = await startApp()
}, PATIENCE_MS)
afterAll(async () => {
  await app?.close()
  rmSync(place, { recursive: true, force: true })
})

const told: string[] = []
const folder = () => path.join(place, 'copies')
const listed = () => readdirSync(folder()).filter((name) => name.endsWith('.catenary'))

function take(command?: string, { bytes }: { bytes?: number } = {}) {
  const { client, db, settings } = app
  const pool = { ...client.pool, query: async () => ({ rows: [{ bytes, size: bytes }] }) } as never
  const deps: BackupsDeps = {
    ...{ db, log: createLog({ level: 'silent' }), now: () => new Date(), timeZone: 'Europe/Berlin' },
    settings: { ...settings, backups: { directory: folder(), time: '03:00', command } },
    database: bytes === undefined ? client : { ...client, pool },
    accounts: { listActiveAdmins: async () => [{ id: 1, email: 'a@example.org' }] as never },
    mails: { isSetUp: true, queue: async (_tx, { message }) => void told.push(message.paragraphs.join(' ')) },
    send: async () => {},
    findUnderWay: async () => null,
  }
  return takeCopy(deps, { reason: 'daily', directory: folder(), signal: new AbortController().signal })
}

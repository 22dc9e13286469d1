import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backups } from '../../db/schema/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'
import type { BackupsDeps } from './backups-deps.ts'
import { takeCopy } from './take-copy.ts'

const PATIENCE_MS = 300_000
const MINUTE_MS = 60_000
/** Of a file that takes none. */
const FAR_TOO_MANY_BYTES = 8e12

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

let at = Date.parse('2026-11-24T02:00:00.000Z')
function nextMinute(): Date {
  at += MINUTE_MS
  return new Date(at)
}
const told: string[] = []
const folder = () => path.join(place, 'copies')
const listed = () => readdirSync(folder()).filter((name) => name.endsWith('.catenary'))

function take({ command, directory }: { command?: string; directory?: string } = {}) {
  const { client, db, settings } = app
  const deps: BackupsDeps = {
    ...{ db, log: createLog({ level: 'silent' }), now: nextMinute, timeZone: 'Europe/Berlin' },
    settings: { ...settings, backups: { directory: folder(), time: '03:00', command } },
    database: directory === undefined ? client : { ...client, directory },
    accounts: { listActiveAdmins: async () => [{ id: 1, email: 'a@example.org' }] as never },
    mails: { isSetUp: true, queue: async (_tx, { message }) => void told.push(message.paragraphs.join(' ')) },
    send: async () => {},
    findUnderWay: async () => null,
  }
  return takeCopy(deps, { reason: 'daily', directory: folder(), signal: new AbortController().signal })
}

function program(name: string, script: string): string {
  const file = path.join(place, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o700)
  return file
}

test(
  'the command gets the path of the copy as its one argument; where it fails, the copy stays and administrators are told',
  async () => {
    const seen = path.join(place, 'seen')
    const made = await take({ command: program('takes', `printf '%s|%s' "$#" "$1" > ${seen}`) })
    expect(made).toMatchObject({ state: 'kept', problem: null })
    expect(readFileSync(seen, 'utf8')).toBe(`1|${path.join(folder(), made?.name ?? '')}`)
    expect(told).toEqual([])
    const refused = await take({ command: program('fails', 'echo "The bucket is full" >&2; exit 3') })
    const problem = 'The copy is here, but BACKUP_COMMAND failed (3): The bucket is full'
    expect(refused).toMatchObject({ state: 'kept', problem })
    expect(told).toEqual([expect.stringContaining(problem)])
    expect(listed().toSorted()).toEqual([made?.name, refused?.name])
  },
  PATIENCE_MS,
)

test(
  'room is looked at first: where there is none, nothing is begun and administrators are told',
  async () => {
    const before = listed()
    const large = path.join(place, 'large')
    mkdirSync(large)
    writeFileSync(path.join(large, 'sparse'), '')
    truncateSync(path.join(large, 'sparse'), FAR_TOO_MANY_BYTES)
    expect(await take({ directory: large })).toBeUndefined()
    expect(told.at(-1)).toMatch(/are free in .*, and a copy may take 8,000,000 MB/)
    expect(listed()).toEqual(before)
    const [row] = await app.db.select().from(backups).where(eq(backups.state, 'failed'))
    expect(row).toMatchObject({ name: null, problem: expect.stringContaining('Make room') })
  },
  PATIENCE_MS,
)

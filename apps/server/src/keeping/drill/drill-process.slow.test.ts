import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Chain, ModelProvider } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../database/open/client.ts'
import { readSchemaNumber } from '../../database/open/schema-number.ts'
import { keyFingerprint } from '../../platform/secrets/secret-box.ts'
import { startApp, TEST_SECRET_KEY, type TestApp, type TestUser } from '../../testing/harness.ts'
import { writeBackupFile } from '../backup/backup-file.ts'
import { copyEmbedded } from '../backup/embedded-copy.ts'
import { packBackup } from '../backup/pack-backup.ts'
import { drillCopy } from './drill-process.ts'

const PATIENCE_MS = 400_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const now = () => new Date()

let place: string
let app: TestApp
let admin: TestUser
/** How often anything called the address that the copy has for everything. */
let calls = 0
const outside = createServer((socket) => {
  calls += 1
  socket.destroy()
})
let good: string
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'drill-'))
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  app = await startApp()
  admin = await app.registerUser({ role: 'admin' })
  await fill()
  good = await backUp('good')
  calls = 0
}, PATIENCE_MS)
afterAll(async () => {
  await app?.close()
  outside.close()
  rmSync(place, { recursive: true, force: true })
})

const need = async <T>(method: 'POST' | 'PUT', url: string, body: object): Promise<T> => {
  const reply = await app.request({ method, url, body, as: admin })
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body as T
}

/** A model at that address, a chain and a due schedule that ask it, and jobs that are due. */
async function fill(): Promise<void> {
  const { port } = outside.address() as { port: number }
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const provider = { name: 'Outside', kind: 'compatible', baseUrl, allowsPrivateAddress: true, apiKey: 'key' }
  const { id: providerId } = await need<ModelProvider>('POST', '/api/admin/providers', provider)
  await need('POST', '/api/admin/models', { alias: 'away', label: 'Away', providerId, modelId: 'm' })
  const { id } = await need<Chain>('POST', '/api/chains', { name: 'Monday digest' })
  const step = { position: 0, content: 'Sum it up', model: 'away', outputVariableName: 'sum' }
  await need('POST', `/api/chains/${id}/steps`, step)
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString()
  await need('POST', `/api/chains/${id}/schedule`, { scheduledTime: tomorrow })
  const { pool } = app.client
  const due = new Date(Date.now() - MINUTE_MS)
  await pool.query('update scheduled_runs set next_due_at = $1', [due])
  // Its job is due too, for that time: whoever does jobs runs it at once.
  const { rowCount } = await pool.query(
    `update jobs set run_at = $1, next_at = $1, payload = payload || jsonb_build_object('dueAt', $2::text)
      where queue = 'schedules'`,
    [due, due.toISOString()],
  )
  expect(rowCount).toBe(1)
  await pool.query(
    `insert into jobs (queue, key, payload) values ('traces', 'due', '{}'), ('upkeep', 'hourly', '{}')`,
  )
}

/** A whole file; `more` rows are promised by its manifest. */
async function backUp(name: string, { more = 0 } = {}): Promise<string> {
  const { directory, withoutLimit, pool } = app.client
  const source = copyEmbedded({ directory: directory ?? '', withSession: withoutLimit })
  const tables = () => {
    const counted = source.tables()
    return { ...counted, users: { rows: (counted.users?.rows ?? 0) + more } }
  }
  const about = {
    format: 1 as const,
    kind: 'files' as const,
    reason: 'daily' as const,
    program: 'test',
    takenAt: now().toISOString(),
    postgres: '18',
    keyFingerprint: keyFingerprint(TEST_SECRET_KEY),
    schema: await readSchemaNumber(pool),
  }
  const file = path.join(place, `${name}.catenary`)
  await writeBackupFile({ file, bytes: packBackup({ about, source: { ...source, tables } }) })
  return file
}

let drills = 0
const drill = (file: string, more: Partial<Parameters<typeof drillCopy>[0]> = {}) => {
  drills += 1
  return drillCopy({
    file,
    // Several may go on at a time.
    directory: path.join(place, 'trials', String(drills)),
    secretKey: TEST_SECRET_KEY,
    now,
    signal: new AbortController().signal,
    ...more,
  })
}
/** What the trials left. */
const left = () => readdirSync(path.join(place, 'trials'))

test(
  'a copy with a flipped byte, with other rows than it promises, or of another key is not proven',
  async () => {
    const flipped = path.join(place, 'flipped.catenary')
    copyFileSync(good, flipped)
    const bytes = readFileSync(flipped)
    const middle = bytes.length >> 1
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    writeFileSync(flipped, bytes)
    const short = await backUp('short', { more: 1 })
    const refused = await Promise.all([
      drill(flipped),
      drill(short),
      drill(good, { secretKey: 'another-key-of-more-than-32-characters' }),
    ])
    const state = 'failed'
    expect(refused).toMatchObject([
      {
        state,
        stages: [],
        rows: null,
        restoreMs: null,
        problem: expect.stringContaining('its checksum does not match'),
      },
      { state, problem: expect.stringContaining('its table users has') },
      { state, problem: expect.stringContaining('a different SECRET_KEY') },
    ])
  },
  PATIENCE_MS,
)

const program = (name: string, code: string) => {
  const file = path.join(place, `${name}.mjs`)
  writeFileSync(file, code)
  return { program: pathToFileURL(file) }
}

const FULL_AFTER_BYTES = 4_000_000

test(
  'Each copy is restored on trial in a process of its own: opened, counted, migrated, and its newest chain runs in the sandbox. A trial that hangs, takes too much memory or fills the disk is ended and reported.',
  async () => {
    const at = (name: string) => new URL(`../../${name}`, import.meta.url).href
    const full = program(
      'full',
      `Object.assign(process.env, { SMALL_DISK_ROOT: process.cwd(), SMALL_DISK_SIZE: '${FULL_AFTER_BYTES}' })
      await import('${at('testing/durability/small-disk.ts')}')
      await import('${at('main.ts')}')`,
    )
    expect(await drill(good, full)).toMatchObject({
      ...{ state: 'failed', stages: [], rows: null },
      problem: 'The disk filled up during the test restore.',
    })
    expect(left()).toEqual([])
    const proven = await drill(good)
    expect(proven).toMatchObject({ state: 'proven', problem: null, log: null })
    expect(proven.stages.map(({ name }) => name)).toEqual(['opened', 'counted', 'migrated', 'ran'])
    expect(proven.stages.at(-1)?.found).toBe('Monday digest, in the sandbox')
    expect(proven.rows).toBeGreaterThan(0)
    expect(proven.restoreMs).toBeGreaterThan(0)
    expect(calls).toBe(0)
    expect(left()).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'Nothing leaves a trial, and no schedule or job of it runs, though they are due.',
  async () => {
    const kept = path.join(place, 'kept')
    const main = new URL('../../main.ts', import.meta.url).href
    const keeps = program(
      'keeps',
      `import { cpSync } from 'node:fs'
      process.on('exit', () => cpSync(process.cwd(), '${kept}', { recursive: true }))
      await import('${main}')`,
    )
    expect(await drill(good, keeps)).toMatchObject({ state: 'proven', problem: null })
    const tried = await openDatabase({ dataDir: kept, fsync: false })
    const JOBS = 'select queue, key, attempt, run_at, next_at from jobs order by queue, key'
    try {
      const read = async (text: string) => (await tried.pool.query(text)).rows
      expect(await read('select trigger, status from executions')).toEqual([
        { trigger: 'manual', status: 'completed' },
      ])
      expect(await read('select id from scheduled_occurrences')).toEqual([])
      const { rows: had } = await app.client.pool.query(JOBS)
      expect(had.map(({ queue }) => queue)).toEqual(expect.arrayContaining(['traces', 'upkeep']))
      expect(await read(JOBS)).toEqual(had)
    } finally {
      await tried.close()
    }
  },
  PATIENCE_MS,
)

test(
  'one that hangs, takes too much memory or dies is ended and reported, with what it had passed',
  async () => {
    const stage = { stage: { name: 'opened', ms: 5, found: 'all' } }
    const hangs = program('hangs', `console.log('${JSON.stringify(stage)}'); setInterval(() => {}, 1e6)`)
    const greedy = program('greedy', 'const all = []; for (;;) all.push(new Array(1e5).fill({}))')
    const dies = program('dies', 'console.error("PANIC"); process.kill(process.pid, "SIGKILL")')
    const silent = program('silent', '')
    const ended = await Promise.all([
      drill(good, { ...hangs, limitMs: 10_000 }),
      drill(good, { ...greedy, memoryMb: 64 }),
      drill(good, dies),
      drill(good, silent),
    ])
    expect(ended).toMatchObject([
      { state: 'failed', problem: 'It took more than 10 s and was ended', stages: [stage.stage] },
      { problem: 'It took more than 64 MB of memory and was ended', log: expect.stringContaining('heap') },
      { problem: 'Its process was killed', log: 'PANIC' },
      { problem: 'It ended before it finished', log: null },
    ])
    expect(left()).toEqual([])
  },
  PATIENCE_MS,
)

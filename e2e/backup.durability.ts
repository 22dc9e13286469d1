import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { type Answered, findLost, readPrompts, startWriters } from './harness/backup-writers.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { main, type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

/** `npm run bench backup` makes fifty, and tells what they cost. */
const BACKUPS = 10
const WRITERS = 8
const KILLS = 8
const PATIENCE_MS = 1_800_000
const SECRET_KEY = 'a-key-for-tests-of-more-than-32-characters'

let work: string
let server: RunningServer
let api: Api
let answered: Answered
beforeEach(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'catenary-backups-'))
  server = await startServer({ env: { LOG_LEVEL: 'warn', SECRET_KEY } })
  showLogsOnFailure(server)
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  answered = new Map()
})
afterEach(async () => {
  await server.dispose()
  await rm(work, { recursive: true, force: true })
})

const place = (name: string) => path.join(work, name)
const run = (args: string[], dataDir = server.dataDir) =>
  runCommand(args, { dataDir, env: { SECRET_KEY, LOG_LEVEL: 'warn' } })

async function expectDone(args: string[], dataDir?: string): Promise<void> {
  expect(await run(args, dataDir)).toMatchObject({ code: 0, err: '' })
}

const writing = () => startWriters({ api, count: WRITERS, answered })

async function expectRestores(file: string, acknowledged: Map<number, string>): Promise<void> {
  const target = place('restored')
  await mkdir(target)
  await expectDone(['restore', file], target)
  expect(findLost(acknowledged, await readPrompts({ dataDir: target }))).toEqual([])
  await rm(target, { recursive: true })
}

test(
  `${BACKUPS} backups beside ${WRITERS} writers: each restored has what was answered before it, nothing half`,
  async () => {
    const writers = writing()
    const backups: { file: string; before: Answered }[] = []
    for (let at = 0; at < BACKUPS; at += 1) {
      const before = new Map(answered)
      const file = place(`${at}.catenary`)
      await expectDone(['backup', file])
      backups.push({ file, before })
    }
    await writers.stop()
    for (const { file, before } of backups) await expectRestores(file, before)
  },
  PATIENCE_MS,
)

interface Kill {
  ms: number
  dataDir: string
  /** What the command leaves when it is killed in the middle. */
  unfinished: string
}

/** Starts a command and kills it after `ms`, if it has not ended by itself. Whether that was in the middle. */
async function killAfter(args: string[], { ms, dataDir, unfinished }: Kill): Promise<boolean> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DATA_DIR: dataDir, SECRET_KEY }
  const child = spawn(process.execPath, [main, ...args], { cwd: dataDir, env, stdio: 'ignore' })
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await once(child, 'exit')
  clearTimeout(timer)
  return existsSync(unfinished)
}

/** How long a command takes, so that its kills fall into it. */
async function timed(work: Promise<void>): Promise<number> {
  const began = performance.now()
  await work
  return performance.now() - began
}

test(
  `a backup killed ${KILLS} times, and the program in the middle of one: what there is is whole, and the next works`,
  async () => {
    const writers = writing()
    await expect.poll(() => answered.size, { timeout: PATIENCE_MS }).toBeGreaterThan(50)
    const whole = await timed(expectDone(['backup', place('first')]))
    let hits = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const file = place(`killed-${kill}`)
      const ms = (whole * (kill + 1)) / KILLS
      if (await killAfter(['backup', file], { ms, dataDir: server.dataDir, unfinished: `${file}.new` }))
        hits += 1
      if (existsSync(file)) await expectDone(['verify', file])
    }
    expect(hits).toBeGreaterThan(0)
    const before = new Map(answered)
    await expectDone(['backup', place('next')])
    await writers.stop()
    await expectRestores(place('next'), before)

    const writersAgain = writing()
    const asked = run(['backup', place('orphan')])
    await sleep(whole / 2)
    await server.kill()
    await Promise.all([asked, writersAgain.stop()])
    if (existsSync(place('orphan'))) await expectDone(['verify', place('orphan')])
    await server.restart()
    expect((await readdir(path.join(server.dataDir, 'database', 'pg_replslot'))).filter(Boolean)).toEqual([])
    const after = new Map(answered)
    await expectDone(['backup', place('after')])
    await expectRestores(place('after'), after)
  },
  PATIENCE_MS,
)

test(
  'Nothing is restored over a database or beside a program that runs. A kill or a full disk leaves nothing or the whole, and the next try works.',
  async () => {
    const writers = writing()
    await expect.poll(() => answered.size, { timeout: PATIENCE_MS }).toBeGreaterThan(200)
    await writers.stop()
    const file = place('backup')
    await expectDone(['backup', file])
    const whole = await timed(expectRestores(file, answered))
    const target = place('target')
    await mkdir(target)
    let hits = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const ms = (whole * (kill + 1)) / KILLS
      const unfinished = path.join(target, 'restoring')
      if (await killAfter(['restore', file], { ms, dataDir: target, unfinished })) hits += 1
      if (!existsSync(path.join(target, 'database'))) continue
      expect((await readPrompts({ dataDir: target })).size).toBe(answered.size)
      await rm(path.join(target, 'database'), { recursive: true })
    }
    expect(hits).toBeGreaterThan(0)
    await expectDone(['restore', file], target)
    expect((await readPrompts({ dataDir: target })).size).toBe(answered.size)
  },
  PATIENCE_MS,
)

/** Runs a command where no file grows beyond `blocks` of 1,024 bytes, as on a disk that fills up. */
async function runWithLimit(args: string[], { blocks, dataDir }: { blocks: number; dataDir: string }) {
  const { PATH = '', HOME = '' } = process.env
  const line = `ulimit -f ${blocks}; exec "$@"`
  const child = spawn('bash', ['-c', line, 'bash', process.execPath, main, ...args], {
    cwd: dataDir,
    env: { PATH, HOME, DATA_DIR: dataDir, SECRET_KEY },
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code, err }
}

test(
  'a disk that fills up in the middle of a backup, or of a restore, leaves nothing half',
  async () => {
    const writers = writing()
    await expect.poll(() => answered.size, { timeout: PATIENCE_MS }).toBeGreaterThan(50)
    const dataDir = server.dataDir
    const failed = await runWithLimit(['backup', place('full')], { blocks: 1_000, dataDir })
    await writers.stop()
    expect(failed).toMatchObject({ code: 1, err: expect.stringMatching(/^[^\n]+\n$/) })
    expect(await readdir(work)).toEqual([])
    await expectDone(['backup', place('next')])

    const target = place('target')
    await mkdir(target)
    const unrestored = await runWithLimit(['restore', place('next')], { blocks: 1_000, dataDir: target })
    expect(unrestored).toMatchObject({ code: 1, err: expect.stringMatching(/^[^\n]+\n$/) })
    expect(await readdir(target)).not.toContain('database')
    await expectDone(['restore', place('next')], target)
    expect((await readPrompts({ dataDir: target })).size).toBe(answered.size)
  },
  PATIENCE_MS,
)

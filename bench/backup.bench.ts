import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApi } from '../e2e/harness/api.ts'
import { type Answered, findLost, readPrompts, startWriters } from '../e2e/harness/backup-writers.ts'
import { runCommand } from '../e2e/harness/command.ts'
import { seedAccount } from '../e2e/harness/seed.ts'
import { startServer } from '../e2e/harness/server.ts'
import { startPostgres } from './lib/library.ts'
import { median, milliseconds, print } from './lib/measure.ts'

const BACKUPS = 50
const WRITERS = 8
const RESTORED_AT_ONCE = 2
const WARM_UP_MS = 5_000
const SETTINGS = {
  SECRET_KEY: 'a key for benches, longer than 32 characters',
  LOG_LEVEL: 'warn',
  QUOTAS: '{"prompts": 1000000, "text": 10000000000, "writes": 1000000, "reads": 1000000}',
}

/** Where a program keeps its rows, and an empty place of the same kind for what is restored. */
interface Place {
  databaseUrl?: string
  makeEmpty(name: string): Promise<{ dataDir: string; databaseUrl?: string }>
  close(): Promise<void>
}

async function makeEmbedded(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-bench-restored-'))
  return {
    makeEmpty: async (name) => {
      const dataDir = join(folder, name)
      await mkdir(dataDir)
      return { dataDir }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function makeServer(): Promise<Place> {
  const [directories, server] = await Promise.all([makeEmbedded(), startPostgres()])
  const create = () => server.createDatabase(`bench_${randomUUID().replaceAll('-', '')}`)
  return {
    databaseUrl: await create(),
    makeEmpty: async (name) => ({ ...(await directories.makeEmpty(name)), databaseUrl: await create() }),
    close: async () => {
      await server.close()
      await directories.close()
    },
  }
}

const envOf = ({ databaseUrl }: { databaseUrl?: string }) => ({
  ...SETTINGS,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})

async function need(args: string[], place: { dataDir: string; databaseUrl?: string }): Promise<number> {
  const start = performance.now()
  const { code, err } = await runCommand(args, { dataDir: place.dataDir, env: envOf(place) })
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`)
  return performance.now() - start
}

const p99 = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

interface Backup {
  file: string
  /** What had been answered before it began. */
  before: Answered
  ms: number
  bytes: number
}

async function measure(kind: 'embedded' | 'PostgreSQL', place: Place): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-bench-backups-'))
  const server = await startServer({ env: envOf(place) })
  try {
    const { dataDir, url } = server
    const { databaseUrl } = place
    const source = { dataDir, ...(databaseUrl !== undefined && { databaseUrl }) }
    const api = createApi(url)
    await api.post('/api/register', seedAccount)
    const answered: Answered = new Map()
    const asked: { at: number; ms: number }[] = []
    const writers = startWriters({ api, count: WRITERS, answered, onAnswer: (each) => asked.push(each) })
    await sleep(WARM_UP_MS)
    const backups: Backup[] = []
    const times = { beside: [] as number[], alone: [] as number[] }
    for (let at = 0; at < BACKUPS; at += 1) {
      const file = join(folder, String(at))
      const before = new Map(answered)
      asked.length = 0
      const ms = await need(['backup', file], source)
      times.beside.push(...asked.map((each) => each.ms))
      backups.push({ file, before, ms, bytes: (await stat(file)).size })
      asked.length = 0
      await sleep(ms / 2)
      times.alone.push(...asked.map((each) => each.ms))
    }
    await writers.stop()
    const restored = await restoreAll(backups, place)
    report({ kind, backups, times, restored, prompts: answered.size })
  } finally {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
    await place.close()
  }
}

/** Milliseconds of each. Throws for one that lacks what was answered before it began, or has half of anything. */
async function restoreAll(backups: Backup[], { makeEmpty }: Place): Promise<number[]> {
  const times: number[] = []
  const left = backups.entries()
  const restoreSome = async () => {
    for (const [at, { file, before }] of left) {
      const target = await makeEmpty(String(at))
      times.push(await need(['restore', file], target))
      const lost = findLost(before, await readPrompts(target))
      if (lost.length > 0) throw new Error(`backup ${at} lacks prompts ${lost.join(', ')}`)
      await rm(target.dataDir, { recursive: true })
    }
  }
  await Promise.all(Array.from({ length: RESTORED_AT_ONCE }, restoreSome))
  if (times.length !== BACKUPS) throw new Error(`${times.length} of ${BACKUPS} were restored`)
  return times
}

interface Report {
  kind: string
  backups: Backup[]
  times: { beside: number[]; alone: number[] }
  restored: number[]
  prompts: number
}

function report({ kind, backups, times, restored, prompts }: Report): void {
  const [beside, alone] = [p99(times.beside), p99(times.alone)]
  print({
    figure: `${WRITERS} writers’ p99 beside ${BACKUPS} backups, ${kind}`,
    value: milliseconds(beside),
    floor: `${milliseconds(alone)} without one`,
    ratio: (beside / alone).toFixed(2),
    target: '≤ 1.5',
  })
  print({
    figure: `median of them, ${kind}`,
    value: milliseconds(median(times.beside)),
    floor: `${milliseconds(median(times.alone))} without one`,
    ratio: (median(times.beside) / median(times.alone)).toFixed(2),
  })
  print({
    figure: `backup, restore, size, medians, up to ${prompts.toLocaleString('en')} prompts, ${kind}`,
    value: [
      milliseconds(median(backups.map(({ ms }) => ms))),
      milliseconds(median(restored)),
      `${(median(backups.map(({ bytes }) => bytes)) / 1e6).toFixed(1)} MB`,
    ].join(', '),
  })
  print({
    figure: `of ${BACKUPS} backups, restored with all that was answered before each, ${kind}`,
    value: String(restored.length),
  })
}

await measure('embedded', await makeEmbedded())
await measure('PostgreSQL', await makeServer())

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { createDataDirectory } from '../apps/server/src/testing/database.ts'
import { readJournal } from '../apps/server/src/testing/durability/journal.ts'
import { cutPower, seededRandom, startRecording } from '../apps/server/src/testing/durability/power-cut.ts'

const WORKLOAD = fileURLToPath(new URL('../apps/server/src/testing/durability/workload.ts', import.meta.url))
const CUTS = 20
const CUTS_AT_ONCE = 4
const KILLS = 20
const TIMEOUT_MS = 300_000

function acknowledgedIn(journal: string): number[] {
  if (!existsSync(journal)) return []
  return readJournal(journal).flatMap((entry) => (entry.op === 'acknowledge' ? [entry.value] : []))
}

describe('what the embedded database has acknowledged', () => {
  let work: string
  let dataDir: string

  beforeEach(async () => {
    dataDir = await createDataDirectory()
    work = mkdtempSync(path.join(path.dirname(dataDir), 'durability-'))
    const database = await openDatabase({ dataDir, fsync: false })
    await database.pool.query(`
      create table entries (id serial primary key, key int not null, text text not null);
      create table counters (key int primary key, n int not null);
      insert into counters select key, 0 from generate_series(1, 200) key`)
    await database.close()
  })
  afterEach(() => {
    rmSync(work, { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** The acknowledged rows that are missing; all of them, if the database no longer opens. */
  async function countLost({ directory, acknowledged }: { directory: string; acknowledged: number[] }) {
    const database = await openDatabase({ dataDir: directory, fsync: false }).catch(() => null)
    if (database === null) return acknowledged.length
    try {
      const { rows: entries } = await database.pool.query('select id, key from entries')
      const { rows: wrong } = await database.pool.query(`
        select key from counters c where n <> (select count(*) from entries e where e.key = c.key)`)
      const found = new Set(entries.map(({ id }) => id))
      return acknowledged.filter((id) => !found.has(id)).length + wrong.length
    } catch {
      return acknowledged.length
    } finally {
      await database.close()
    }
  }

  async function loseByPowerCuts({ fsync, cuts }: { fsync: 'on' | 'off'; cuts: number }) {
    const recording = startRecording({ root: dataDir, work })
    const workload = spawn(process.execPath, ['--import', recording.preload, WORKLOAD], {
      env: {
        ...process.env,
        ...recording.env,
        DATA_DIR: dataDir,
        FSYNC: fsync,
        COMMITS: '400',
        ACKNOWLEDGED: recording.journal,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    expect(await once(workload, 'exit')).toEqual([0, null])

    const records = readJournal(recording.journal)
    const first = records.findIndex(({ op }) => op === 'acknowledge')
    const random = seededRandom(20_260_726)
    const makeCut = async (cut: number) => {
      const image = path.join(work, `image-${cut}`)
      const at = first + 1 + Math.floor(random() * (records.length - first))
      const { acknowledged } = cutPower({ recording, records: records.slice(0, at), random, image })
      const lost = await countLost({ directory: image, acknowledged })
      rmSync(image, { recursive: true, force: true })
      return { acknowledged: acknowledged.length, lost }
    }
    const losses: Awaited<ReturnType<typeof makeCut>>[] = []
    for (let cut = 0; cut < cuts; cut += CUTS_AT_ONCE) {
      const batch = Array.from({ length: Math.min(CUTS_AT_ONCE, cuts - cut) }, (_, index) => cut + index)
      losses.push(...(await Promise.all(batch.map(makeCut))))
    }
    return losses
  }

  it('survives power cuts', { timeout: TIMEOUT_MS }, async () => {
    const losses = await loseByPowerCuts({ fsync: 'on', cuts: CUTS })
    expect(losses.filter(({ lost }) => lost > 0)).toEqual([])
    expect(losses.some(({ acknowledged }) => acknowledged > 100)).toBe(true)
  })

  it('would not without fsync: the simulated cuts do cut', { timeout: TIMEOUT_MS }, async () => {
    const losses = await loseByPowerCuts({ fsync: 'off', cuts: 5 })
    expect(losses.filter(({ lost }) => lost > 0).length).toBeGreaterThan(0)
  })

  it.each(['on', 'off'])(
    'survives kills of the process with fsync %s',
    { timeout: TIMEOUT_MS },
    async (fsync) => {
      const random = seededRandom(6)
      const journal = path.join(work, 'acknowledged')
      for (let kill = 0; kill < KILLS / 2; kill++) {
        const workload = spawn(process.execPath, [WORKLOAD], {
          env: { ...process.env, DATA_DIR: dataDir, FSYNC: fsync, SEED: String(kill), ACKNOWLEDGED: journal },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        const before = acknowledgedIn(journal).length
        await once(workload.stdout, 'data')
        // Even on a slow machine there is something to lose.
        await expect
          .poll(() => acknowledgedIn(journal).length, { timeout: TIMEOUT_MS })
          .toBeGreaterThan(before + 2)
        await delay(random() * 400)
        workload.kill('SIGKILL')
        await once(workload, 'exit')
      }
      const acknowledged = acknowledgedIn(journal)
      expect(acknowledged.length).toBeGreaterThan(KILLS)
      expect(await countLost({ directory: dataDir, acknowledged })).toBe(0)
    },
  )
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { createDataDirectory } from '../apps/server/src/testing/database.ts'
import { startLibrary } from '../apps/server/src/testing/library.ts'
import { createRandom } from './harness/chain-load.ts'

const WORKLOAD = fileURLToPath(
  new URL('../apps/server/src/testing/durability/job-workload.ts', import.meta.url),
)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS = 10
/** Per queue, in the one process. */
const UNDER_WAY = 4

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A chain of two steps, and who may run it. */
async function prepare(dataDir: string): Promise<Record<string, string>> {
  const client = await openDatabase({ dataDir, fsync: false })
  const library = await startLibrary('embedded', { database: { client } })
  const { id } = await library.createChain(library.owner)
  for (const position of [0, 1]) await library.createStep(library.owner, id, { position })
  await library.close()
  await client.close()
  return { CHAIN_ID: String(id), USER: JSON.stringify(library.owner.user) }
}

test('a program that is killed ten times tells of each run that ended and does each job that was sent', async () => {
  const dataDir = await createDataDirectory()
  const work = mkdtempSync(path.join(path.dirname(dataDir), 'jobs-'))
  closing.push(() => {
    for (const directory of [dataDir, work]) rmSync(directory, { recursive: true, force: true })
  })
  const journal = path.join(work, 'journal')
  writeFileSync(journal, '')
  const env = { ...process.env, ...(await prepare(dataDir)), DATA_DIR: dataDir, JOURNAL: journal }
  const open = async (starts: 'on' | 'off'): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [WORKLOAD], {
      env: { ...env, STARTS: starts },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    closing.push(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    return child
  }

  const random = createRandom(SEED)
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = await open('on')
    await sleep(200 + random() * 1_800)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await open('off')

  const read = (what: string) =>
    readFileSync(journal, 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith(`${what} `) ? [line.slice(what.length + 1)] : []))
  const missing = (acknowledged: string[], seen: string[]) => {
    const known = new Set(seen)
    return acknowledged.filter((one) => !known.has(one))
  }
  await vi.waitFor(
    () => {
      expect(missing(read('started'), read('told'))).toEqual([])
      expect(missing(read('sent'), read('done'))).toEqual([])
    },
    { timeout: 120_000, interval: 200 },
  )
  const repeated = ['told', 'done'].map((what) => read(what).length - new Set(read(what)).size)
  const [runs, sent] = [read('started').length, read('sent').length]
  console.log(`seed ${SEED}: ${runs} runs, ${sent} jobs, ${KILLS} kills, ${repeated} told or done again`)
  expect(runs).toBeGreaterThan(KILLS)
  for (const count of repeated) expect(count).toBeLessThanOrEqual(KILLS * UNDER_WAY)
}, 600_000)

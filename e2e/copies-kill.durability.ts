import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupsState } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { verifyBackup } from '../apps/server/src/keeping/backup/read-backup.ts'
import { type Api, createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

/** After each, the job that was cut short waits twice as long. */
const KILLS = 4
const PATIENCE_MS = 1_800_000

let place: string
let server: RunningServer
let api: Api
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'catenary-copies-'))
  server = await startServer({ env: { LOG_LEVEL: 'warn', BACKUP_DIR: place } })
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
})
afterAll(async () => {
  await server?.dispose()
  await rm(place, { recursive: true, force: true })
})

const read = () => api.get<BackupsState>('/api/admin/backups')
const WAIT = { timeout: 300_000, interval: 20 }
/** Gives when it began; undefined: it is not there. What a killed program left stays until it is taken up again. */
type FindBusy = () => Promise<number | undefined>

const beganAt = async (file: string) => (await stat(file).catch(() => undefined))?.birthtimeMs
const findCopying: FindBusy = async () => {
  const name = (await readdir(place)).find((each) => each.endsWith('.new'))
  return name === undefined ? undefined : beganAt(path.join(place, name))
}
const findTrying: FindBusy = () => beganAt(path.join(server.dataDir, 'drill'))

/**
 * Waits until the program copies, or tries what it copied, since then. It takes up again what was cut short by itself,
 * maybe before anybody looks, so it is asked for a copy whenever nothing goes on.
 */
const untilBusy = (find: FindBusy, since: number) =>
  vi.waitFor(async () => {
    if (((await find()) ?? 0) > since) return
    if ((await read()).underWay === null) await api.post('/api/admin/backups')
    expect(await find()).toBeGreaterThan(since)
  }, WAIT)

async function settle(): Promise<BackupsState> {
  return vi.waitFor(
    async () => {
      const state = await read()
      expect(state.underWay).toBeNull()
      return state
    },
    { timeout: 300_000, interval: 250 },
  )
}

/** How many milliseconds it goes on, so that its kills fall into it. */
async function measure(find: FindBusy): Promise<number> {
  await untilBusy(find, 0)
  const began = performance.now()
  await vi.waitFor(async () => expect(await find()).toBeUndefined(), WAIT)
  return performance.now() - began
}

/** All that is listed as there is whole, and nothing is called proven or broken that was only cut short. */
async function expectNothingHalf(): Promise<void> {
  const { copies } = await read()
  const names = (await readdir(place)).filter((name) => name.endsWith('.catenary'))
  for (const name of names) await verifyBackup(path.join(place, name))
  for (const copy of copies) {
    expect(copy).toMatchObject({ state: 'kept', problem: null })
    expect(names).toContain(copy.name)
    expect(copy.drill?.state).not.toBe('failed')
  }
}

/** Whether the kill fell into it. */
async function killIn(
  find: FindBusy,
  { since, afterMs }: { since: number; afterMs: number },
): Promise<boolean> {
  await untilBusy(find, since)
  await sleep(afterMs)
  await server.kill()
  return (await find()) !== undefined
}

test(
  'The program, killed while it makes a copy or tries one, lists nothing half, calls nothing broken that was only cut short, and goes on by itself.',
  async () => {
    showLogsOnFailure(server)
    const spans: [FindBusy, number][] = [
      [findCopying, await measure(findCopying)],
      [findTrying, await measure(findTrying)],
    ]
    await settle()
    for (const [find, ms] of spans) {
      let hits = 0
      let since = Date.now()
      for (let kill = 0; kill < KILLS; kill += 1) {
        if (await killIn(find, { since, afterMs: (ms * kill) / KILLS })) hits += 1
        since = Date.now()
        await server.restart()
        await expectNothingHalf()
      }
      expect(hits).toBeGreaterThanOrEqual(KILLS / 2)
    }
    await settle()
    await api.post('/api/admin/backups')
    const [newest] = (await settle()).copies
    expect(newest).toMatchObject({ state: 'kept', drill: { state: 'proven' } })
    await expectNothingHalf()
    expect(await findCopying()).toBeUndefined()
    expect(await findTrying()).toBeUndefined()
  },
  PATIENCE_MS,
)

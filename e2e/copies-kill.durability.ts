import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupsState } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const KILLS = 6
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
const isCopying = async () => (await readdir(place)).some((name) => name.endsWith('.new'))
const isTrying = () => existsSync(path.join(server.dataDir, 'drill'))

/** Waits until the program copies, or tries what it copied; after a kill it takes that up again by itself. */
const untilBusy = (isBusy: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await isBusy()).toBe(true), WAIT)

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

/** All that is listed as there is whole, and nothing is called proven or broken that was only cut short. */
async function expectNothingHalf(): Promise<void> {
  const names = (await readdir(place)).filter((name) => name.endsWith('.catenary'))
  for (const name of names) {
    const file = path.join(place, name)
    expect(await runCommand(['verify', file], { dataDir: server.dataDir })).toMatchObject({
      code: 0,
      err: '',
    })
  }
  for (const copy of (await read()).copies) {
    expect(copy).toMatchObject({ state: 'kept', problem: null })
    expect(names).toContain(copy.name)
    expect(copy.drill?.state).not.toBe('failed')
  }
}

test(
  `the program, killed ${KILLS} times while it makes a copy and ${KILLS} times while it tries one, lists nothing half`,
  async () => {
    showLogsOnFailure(server)
    await api.post('/api/admin/backups')
    await untilBusy(isTrying)
    const began = performance.now()
    await settle()
    const whole = performance.now() - began
    for (const isBusy of [isCopying, isTrying]) {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await api.post('/api/admin/backups')
        await untilBusy(isBusy)
        await sleep((whole * kill) / KILLS / 2)
        await server.kill()
        await server.restart()
        await expectNothingHalf()
      }
    }
    await settle()
    await api.post('/api/admin/backups')
    const [newest] = (await settle()).copies
    expect(newest).toMatchObject({ state: 'kept', drill: { state: 'proven' } })
    await expectNothingHalf()
    expect(isTrying()).toBe(false)
    expect(await isCopying()).toBe(false)
  },
  PATIENCE_MS,
)

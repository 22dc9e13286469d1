import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Prompt, SystemCheckResult } from '@catenary/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Api, createApi } from './harness/api.ts'
import { seedAccount } from './harness/seed.ts'
import { launchProgram, type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const MIB = 1024 ** 2
const SMALL_DISK = fileURLToPath(
  new URL('../apps/server/src/testing/durability/small-disk.ts', import.meta.url),
)
const FULL = { error: 'The disk is full. Nothing can be saved until an administrator frees up space.' }
const WAIT = { timeout: 30_000, interval: 100 }

let work: string
let dataDir: string
let server: RunningServer
let api: Api
const kept = new Map<number, string>()
beforeEach(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'catenary-full-'))
  dataDir = path.join(work, 'data')
  await mkdir(dataDir)
  await setDisk(1024 * MIB)
  server = await startServer({ dataDir, env: env() })
  showLogsOnFailure(server)
  api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  kept.clear()
})
afterEach(async () => {
  await server.dispose()
  await rm(work, { recursive: true, force: true })
})

const env = () => ({
  SMALL_DISK_ROOT: dataDir,
  SMALL_DISK_SIZE: sizeFile(),
  NODE_OPTIONS: `--import=${SMALL_DISK}`,
  LOG_LEVEL: 'warn',
})
const sizeFile = () => path.join(work, 'size')
const setDisk = (bytes: number) => writeFile(sizeFile(), String(bytes))

async function usedBytes(): Promise<number> {
  const names = await readdir(dataDir, { recursive: true })
  const sizes = await Promise.all(names.map((name) => stat(path.join(dataDir, name)).catch(() => undefined)))
  return sizes.reduce((sum, each) => sum + (each?.isFile() ? Math.ceil(each.size / 4096) * 4096 : 0), 0)
}

/** Saves prompts until one is refused, and returns that refusal; notes what was answered 2xx. */
async function writeUntilRefused() {
  for (let round = kept.size; ; round += 1) {
    const title = `prompt ${round}`
    // A text that does not compress.
    const content = `${title} ${randomBytes(MIB / 2).toString('base64')}`
    const reply = await api.call('POST', '/api/prompts', { title, content, categoryId: 1 })
    if (reply.status !== 201) return reply
    kept.set((reply.body as Prompt).id, content)
  }
}

async function expectAllKept(): Promise<void> {
  expect(kept.size).toBeGreaterThan(0)
  for (const [id, content] of kept) {
    expect((await api.get<Prompt>(`/api/prompts/${id}`)).content === content, `prompt ${id}`).toBe(true)
  }
}

async function expectFull(): Promise<void> {
  expect(await api.call('GET', '/readyz')).toEqual({ status: 503, body: { error: 'Not ready: disk' } })
  const check = await api.get<SystemCheckResult>('/api/admin/checks/disk')
  expect(check).toMatchObject({ status: 'failed', message: expect.stringMatching(/^The disk is full/) })
  expect(await api.call('POST', '/api/prompts', {})).toEqual({ status: 503, body: FULL })
  const { username, password } = seedAccount
  expect((await createApi(server.url).call('POST', '/api/login', { username, password })).status).toBe(200)
}

async function makeRoom(): Promise<void> {
  await setDisk((await usedBytes()) + 512 * MIB)
  await vi.waitFor(async () => expect((await api.call('GET', '/readyz')).status).toBe(200), WAIT)
  const prompt = { title: 'After', content: 'There is room again.', categoryId: 1 }
  const { id } = await api.post<Prompt>('/api/prompts', prompt)
  kept.set(id, prompt.content)
}

test('a disk that fills up while people write: clear refusals, reads go on, nothing is lost, and room mends it', async () => {
  // What is kept aside is there before the disk fills.
  await vi.waitFor(expectReserved, WAIT)
  await setDisk((await usedBytes()) + 40 * MIB)
  expect(await writeUntilRefused()).toEqual({ status: 503, body: FULL })
  await vi.waitFor(expectFull, WAIT)
  await expectAllKept()

  await setDisk(await usedBytes())
  await expectAllKept()
  await makeRoom()
  await expectAllKept()
  await vi.waitFor(expectReserved, WAIT)
}, 240_000)

const reservedBytes = async () => (await stat(path.join(dataDir, 'reserve')).catch(() => ({ size: 0 }))).size
const expectReserved = async () => expect(await reservedBytes()).toBe(52 * MIB)

test('another program takes each byte that comes free: signing in goes on for a while, and after a kill it starts again', async () => {
  await vi.waitFor(expectReserved, WAIT)
  await setDisk((await usedBytes()) + 40 * MIB)
  expect(await writeUntilRefused()).toEqual({ status: 503, body: FULL })
  const left: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await setDisk(await usedBytes())
    await delay(5_000)
    left.push((await reservedBytes()) / MIB)
    if (round < 2) await vi.waitFor(expectFull, WAIT)
  }
  expect(left).toEqual([52, 32, 16])
  await expectAllKept()
  await server.kill()
  await setDisk(await usedBytes())
  let wasUp = false
  await startOnFullDisk(async () => {
    wasUp = true
    await expectAllKept()
  })
  expect(wasUp).toBe(true)
}, 240_000)

test('another program takes all of the disk at one blow: no call fails otherwise than by that, and a kill loses nothing', async () => {
  await vi.waitFor(expectReserved, WAIT)
  const writing = writeUntilRefused()
  await vi.waitFor(() => expect(kept.size).toBeGreaterThan(3), WAIT)
  await setDisk(await usedBytes())
  expect(await writing).toEqual({ status: 503, body: FULL })
  await vi.waitFor(expectFull, WAIT)
  await expectAllKept()

  await server.kill()
  await startOnFullDisk(async () => {
    await vi.waitFor(expectFull, WAIT)
    await expectAllKept()
  })
  await setDisk(await usedBytes())
  await startOnFullDisk()
  await setDisk((await usedBytes()) + 512 * MIB)
  await server.restart()
  await makeRoom()
  await expectAllKept()
}, 240_000)

/** Starts it where it does not get ready: it says so, whether it comes up to be read or, without any room, not at all. */
async function startOnFullDisk(whileUp: () => Promise<void> = async () => {}): Promise<void> {
  const child = launchProgram({
    cwd: dataDir,
    env: { PORT: String(server.port), DATA_DIR: dataDir, ...env() },
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const isUp = () =>
    fetch(`${server.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitFor(async () => expect(child.exitCode !== null || (await isUp())).toBe(true), WAIT)
  expect(output).toContain('The disk is full')
  expect(output).not.toMatch(/Catenary did not start.*\n.+/)
  if (child.exitCode !== null) return
  await whileUp()
  child.kill('SIGKILL')
  await once(child, 'exit')
}

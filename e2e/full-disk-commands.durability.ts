import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AdminNotices, BackupsState, Prompt, Variable } from '@catenary/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drillCopy } from '../apps/server/src/keeping/drill/drill-process.ts'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { type Api, createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, type ServerOptions, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const MIB = 1024 ** 2
const ROOMY = 8 * 1024 * MIB
const SMALL_DISK = fileURLToPath(
  new URL('../apps/server/src/testing/durability/small-disk.ts', import.meta.url),
)
const DRILL_ON_SMALL_DISK = new URL(
  '../apps/server/src/testing/durability/drill-on-small-disk.ts',
  import.meta.url,
)
const SECRET_KEY = 'a-key-for-tests-of-more-than-32-characters'
const FULL = 'The disk is full. Free up space where DATA_DIR is, then start again.\n'
const PATIENCE_MS = 900_000

let work: string
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'catenary-full-commands-'))
  await setDisk(ROOMY)
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(work, { recursive: true, force: true })
})

const sizeFile = () => path.join(work, 'size')
const setDisk = (bytes: number) => writeFile(sizeFile(), String(bytes))
const onSmallDisk = (root: string) => ({
  SMALL_DISK_ROOT: root,
  SMALL_DISK_SIZE: sizeFile(),
  NODE_OPTIONS: `--import=${SMALL_DISK}`,
})

async function usedBytes(root: string): Promise<number> {
  const names = await readdir(root, { recursive: true })
  const sizes = await Promise.all(names.map((name) => stat(path.join(root, name)).catch(() => undefined)))
  return sizes.reduce((sum, each) => sum + (each?.isFile() ? Math.ceil(each.size / 4096) * 4096 : 0), 0)
}

/** Runs a command of `dataDir`, whose disk has so many bytes left. */
async function runOnFullDisk(args: string[], { dataDir, left, env }: FullDisk) {
  await setDisk((await usedBytes(dataDir)) + left)
  const ended = await runCommand(args, { dataDir, env: { ...env, ...onSmallDisk(dataDir) } })
  if (ended.code !== 0) {
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^[^\n]+\n$/) })
  }
  return ended
}

interface FullDisk {
  dataDir: string
  left: number
  env: Record<string, string>
}

async function serve(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options)
  showLogsOnFailure(server)
  closing.push(server.dispose)
  return server
}

async function signIn({ url }: RunningServer): Promise<Api> {
  const api = createApi(url)
  await api.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
  return api
}

const VARIABLES = 200
const HEADERS = Array.from({ length: 40 }, (_, at) => `x-key-${at}`)

test(
  'rotate-key on a disk that fills up loses no value, and the next call ends it',
  async () => {
    const server = await serve({ env: { LOG_LEVEL: 'warn' } })
    const api = createApi(server.url)
    await api.post('/api/register', seedAccount)
    const headersOf = (name: string) =>
      Object.fromEntries(HEADERS.map((header) => [header, `${name} ${header}`]))
    for (let index = 0; index < VARIABLES; index += 1) {
      const name = `weather_${index}`
      const address = { type: 'api', apiUrl: 'https://weather.example.org/' }
      await api.post('/api/variables', { name, ...address, apiHeaders: headersOf(name) })
    }
    const { dataDir } = server
    const earlierKey = path.join(dataDir, 'secret.key.old')
    for (const fillsUp of ['before it begins', 'while it seals'] as const) {
      await server.stop()
      const left = fillsUp === 'before it begins' ? 0 : ROOMY
      const rotating = runOnFullDisk(['rotate-key'], { dataDir, left, env: {} })
      if (fillsUp === 'while it seals') {
        await vi.waitUntil(() => existsSync(earlierKey), { timeout: 60_000, interval: 1 })
        await setDisk(0)
      }
      expect((await rotating).code, fillsUp).toBe(1)
      expect(existsSync(earlierKey), fillsUp).toBe(fillsUp === 'while it seals')
      await server.restart()
      const listed = await (await signIn(server)).get<Variable[]>('/api/variables')
      expect(listed).toHaveLength(VARIABLES)
      for (const { name, apiHeaders } of listed) expect(apiHeaders, name).toEqual(headersOf(name))
    }
    await server.stop()
    expect(await runCommand(['rotate-key'], { dataDir })).toMatchObject({ code: 0, err: '' })
    expect(existsSync(earlierKey)).toBe(false)
  },
  PATIENCE_MS,
)

const PROMPTS = 40

/** Prompts whose texts don't compress. */
async function savePrompts({ url }: RunningServer): Promise<Map<number, string>> {
  const api = createApi(url)
  await api.post('/api/register', seedAccount)
  const saved = new Map<number, string>()
  for (let index = 0; index < PROMPTS; index += 1) {
    const content = randomBytes(MIB / 8).toString('base64')
    const { id } = await api.post<Prompt>('/api/prompts', {
      title: `Prompt ${index}`,
      content,
      categoryId: 1,
    })
    saved.set(id, content)
  }
  return saved
}

async function expectAll(server: RunningServer, saved: Map<number, string>): Promise<void> {
  const api = await signIn(server)
  for (const [id, content] of saved)
    expect((await api.get<Prompt>(`/api/prompts/${id}`)).content === content, `prompt ${id}`).toBe(true)
}

test(
  'a move to a disk that fills up leaves everything where it was and nothing there, and the next gets there',
  async () => {
    const env = {
      SECRET_KEY,
      LOG_LEVEL: 'warn',
      DATABASE_URL: await createServerDatabase({ migrated: false }),
    }
    const source = await serve({ env })
    const saved = await savePrompts(source)
    await source.stop()
    const dataDir = path.join(work, 'data')
    await mkdir(dataDir)
    // While it is made, and while rows come in.
    for (const left of [12 * MIB, 44 * MIB]) {
      const { code, err } = await runOnFullDisk(['move', '--to', 'embedded'], { dataDir, left, env })
      expect({ code, err }).toEqual({ code: 1, err: FULL })
      expect((await readdir(dataDir)).filter((name) => /^(database|moving)$/.test(name))).toEqual([])
    }
    await source.restart()
    await expectAll(source, saved)
    await source.stop()
    expect(await runCommand(['move', '--to', 'embedded'], { dataDir, env })).toMatchObject({
      code: 0,
      err: '',
    })
    await expectAll(await serve({ dataDir, env: { SECRET_KEY } }), saved)
  },
  PATIENCE_MS,
)

test(
  'a move away from a full disk moves all or nothing, and is taken up again once there is room',
  async () => {
    const server = await serve({ env: { SECRET_KEY, LOG_LEVEL: 'warn' } })
    const saved = await savePrompts(server)
    await server.stop()
    const { dataDir } = server
    const args = ['move', '--to', await createServerDatabase({ migrated: false })]
    const first = await runOnFullDisk(args, { dataDir, left: 0, env: { SECRET_KEY } })
    if (first.code !== 0) {
      expect(await runCommand(args, { dataDir, env: { SECRET_KEY } })).toMatchObject({ code: 0, err: '' })
    }
    const env = { SECRET_KEY, DATABASE_URL: args[2] ?? '' }
    await expectAll(await serve({ env }), saved)
  },
  PATIENCE_MS,
)

test(
  'a copy of the program on a disk that fills up fails for administrators to see, leaves nothing, and the next is proven',
  async () => {
    const copies = path.join(work, 'copies')
    await mkdir(copies)
    const server = await serve({ env: { LOG_LEVEL: 'warn', BACKUP_DIR: copies, ...onSmallDisk(copies) } })
    await savePrompts(server)
    const api = await signIn(server)
    const settled = () =>
      vi.waitFor(
        async () => {
          const state = await api.get<BackupsState>('/api/admin/backups')
          expect(state.underWay).toBeNull()
          return state
        },
        { timeout: PATIENCE_MS, interval: 250 },
      )
    await api.post('/api/admin/backups')
    const isWriting = async () => expect((await readdir(copies)).join()).toContain('.new')
    await vi.waitFor(isWriting, { timeout: 60_000, interval: 5 })
    await setDisk(0)
    const failed = await settled()
    const problem = expect.stringMatching(/enough space|full/)
    expect(failed.copies).toMatchObject([{ state: 'failed', name: null, drill: null, problem }])
    expect(await readdir(copies)).toEqual(['.catenary-copies'])
    const { backup } = await api.get<AdminNotices>('/api/admin/notices')
    expect(backup).toMatchObject({ what: 'copy', problem })

    await setDisk(ROOMY)
    await api.post('/api/admin/backups')
    const [copy] = (await settled()).copies
    expect(copy).toMatchObject({ state: 'kept', problem: null, drill: { state: 'proven' } })
    expect((await readdir(copies)).toSorted()).toEqual(['.catenary-copies', copy?.name])
  },
  PATIENCE_MS,
)

test(
  'a trial whose disk fills up is a failed one, leaves nothing, and the next proves the copy',
  async () => {
    const server = await serve({ env: { LOG_LEVEL: 'warn', SECRET_KEY } })
    await savePrompts(server)
    const file = path.join(work, 'backup')
    const args = ['backup', file]
    expect(await runCommand(args, { dataDir: server.dataDir, env: { SECRET_KEY } })).toMatchObject({
      code: 0,
      err: '',
    })
    const directory = path.join(work, 'drill')
    const { signal } = new AbortController()
    const wanted = { file, directory, secretKey: SECRET_KEY, now: () => new Date(), signal }
    const failed = await drillCopy({ ...wanted, program: DRILL_ON_SMALL_DISK })
    expect(failed).toMatchObject({ state: 'failed', problem: expect.stringContaining('filled up') })
    expect(existsSync(directory)).toBe(false)
    expect(await drillCopy(wanted)).toMatchObject({ state: 'proven', problem: null })
    expect(existsSync(directory)).toBe(false)
  },
  PATIENCE_MS,
)

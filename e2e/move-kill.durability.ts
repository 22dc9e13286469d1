import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance, Prompt } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { type Api, createApi } from './harness/api.ts'
import { type ChainLoad, createChainLoad } from './harness/chain-load.ts'
import { launchCommand, runCommand } from './harness/command.ts'
import { type HeldPostgres, holdPostgres } from './harness/held-postgres.ts'
import { seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'
import { showLogsOnFailure } from './harness/show-logs.ts'

const PROMPTS = 60
const RUNS = 6
const STEPS = 40
/** A step's time before a move, so that runs are under way all through it, and after. */
const [SLOW_MS, QUICK_MS] = [2_000, 40]
const PATIENCE_MS = 600_000

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Where everything is: a data directory, or a PostgreSQL beside it. */
interface Place {
  dataDir: string
  env: Record<string, string>
}

const SHARED = { SECRET_KEY: 'the same on both sides, as it seals what is stored', LOG_LEVEL: 'warn' }

async function makePlace(env: Record<string, string> = SHARED): Promise<Place> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'catenary-move-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  return { dataDir, env }
}

async function serve(place: Place): Promise<RunningServer> {
  const server = await startServer(place)
  closing.push(server.dispose)
  showLogsOnFailure(server)
  return server
}

/** A move that is killed where the mover says a thing to the PostgreSQL of either side. */
interface Kill {
  /** What it says, one after the other; the last does not arrive. */
  at: RegExp[]
  /** The last arrives, and its answer doesn't. */
  isCarried?: boolean
  /** What the side that is moved away from has then. */
  leaves: 'all' | 'a move cut short'
}

/** A move that is killed, with the PostgreSQL that it talks to. */
interface Move {
  args: string[]
  options: Place
  postgres: HeldPostgres
}

async function holdServer(url: string): Promise<HeldPostgres> {
  const postgres = await holdPostgres(url)
  closing.push(async () => postgres.close())
  return postgres
}

/** From an embedded database to a PostgreSQL. */
async function moveToServer(here: Place, url: string): Promise<Move> {
  const postgres = await holdServer(url)
  return { args: ['move', '--to', postgres.url], options: here, postgres }
}

/** From a PostgreSQL to an embedded database in the directory of `there`. */
async function moveToEmbedded(here: Place, there: Place): Promise<Move> {
  const postgres = await holdServer(here.env.DATABASE_URL ?? '')
  const env = { ...here.env, DATABASE_URL: postgres.url }
  return { args: ['move', '--to', 'embedded'], options: { dataDir: there.dataDir, env }, postgres }
}

async function killAt({ args, options, postgres }: Move, { at, isCarried = false }: Kill): Promise<void> {
  const mover = launchCommand(args, options)
  await postgres.holdAt(at, { ended: mover.ended, isCarried })
  await mover.kill()
  postgres.release()
}

const [READS_PROMPTS, READS] = [
  /declare copied_rows .* from public\."?prompts"?/,
  /fetch \d+ from copied_rows/,
]
const WRITES_PROMPTS = /insert into public\."?prompts"? /
const NOTES_ARRIVAL = /'arrived', jsonb_build_object/
const ASKS_WHAT_ARRIVED = /to_regclass\('public\.settings'\)/
const REFUSES_WRITES = /create function refuse_moved/
const SETTLES = /"isOver": true/
const COMMITS = /commit\0/

const KILLS_TO_SERVER: Kill[] = [
  { at: [WRITES_PROMPTS], leaves: 'all' },
  // By then it is noted that all was moved.
  { at: [NOTES_ARRIVAL, COMMITS], leaves: 'a move cut short' },
  { at: [ASKS_WHAT_ARRIVED], leaves: 'a move cut short' },
  { at: [NOTES_ARRIVAL, COMMITS], isCarried: true, leaves: 'a move cut short' },
]
const KILLS_TO_EMBEDDED: Kill[] = [
  { at: [READS_PROMPTS, READS, READS, READS], leaves: 'all' },
  { at: [REFUSES_WRITES, COMMITS], leaves: 'all' },
  { at: [REFUSES_WRITES, COMMITS], isCarried: true, leaves: 'a move cut short' },
  { at: [SETTLES], leaves: 'a move cut short' },
]

/** The texts that the program has there by their titles; the reason for which it does not start. */
async function readTexts(place: Place): Promise<Record<string, string> | string> {
  let server: RunningServer
  try {
    server = await serve(place)
  } catch (error) {
    return String(error)
  }
  const api = await signIn(server)
  await takesWrites(api)
  const prompts = await api.get<Prompt[]>('/api/prompts')
  const texts = await Promise.all(prompts.map(({ id }) => api.get<Prompt>(`/api/prompts/${id}`)))
  await server.stop()
  return Object.fromEntries(texts.map(({ title, content }) => [title, content]))
}

async function signIn({ url }: RunningServer): Promise<Api> {
  const api = createApi(url)
  await takesWrites(api)
  await api.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
  return api
}

/** That the mover is dead shows after a moment. */
async function takesWrites(api: Api): Promise<void> {
  while ((await api.get<Instance>('/api/instance')).readOnly !== null) await sleep(50)
}

test(
  'A move that was killed, or met a full disk, leaves everything whole on one side: writes are taken again, and the next try gets there.',
  async () => {
    const [first, last] = [await makePlace(), await makePlace()]
    const url = await createServerDatabase({ migrated: false })
    const between = { dataDir: first.dataDir, env: { ...SHARED, DATABASE_URL: url } }
    const texts = await fill(first)
    const sides = [
      { here: first, there: between, move: await moveToServer(first, url), kills: KILLS_TO_SERVER },
      { here: between, there: last, move: await moveToEmbedded(between, last), kills: KILLS_TO_EMBEDDED },
    ]
    for (const { here, there, move, kills } of sides) {
      for (const kill of kills) {
        const moment = `${kill.at.at(-1)} of ${kill.at.length}`
        await killAt(move, kill)
        const left = await readTexts(here)
        if (kill.leaves === 'all') expect(left, moment).toEqual(texts)
        else expect(left, moment).toContain('A move of this database was cut short')
      }
      // All had arrived at the last kill.
      const { code, out, err } = await runCommand(move.args, move.options)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('Everything had been moved already.')
      expect(await readTexts(there)).toEqual(texts)
      expect(await readTexts(here)).toContain('This database was moved')
    }
  },
  PATIENCE_MS,
)

async function fill(place: Place): Promise<Record<string, string>> {
  const server = await serve(place)
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const titles = Array.from({ length: PROMPTS }, (_, number) => `Prompt ${number}`)
  const texts = Object.fromEntries(titles.map((title) => [title, `${title} ${'é'.repeat(5_000)}`]))
  for (const [title, content] of Object.entries(texts)) {
    await api.post('/api/prompts', { title, content, categoryId: 1 })
  }
  await server.stop()
  return texts
}

test(
  'chain runs under way go on at the other side after a move that was killed, there and back, with no step repeated',
  async () => {
    const load = await createChainLoad({ steps: STEPS })
    closing.push(load.close)
    const env = { ...SHARED, ...load.env }
    const there = await makePlace(env)
    const DATABASE_URL = await createServerDatabase({ migrated: false })
    const here = await makePlace({ ...env, DATABASE_URL })
    await goOnEmbedded({ here, there, load })

    const other = await createServerDatabase({ migrated: false })
    const back = await moveToServer(there, other)
    const embedded = await serve(there)
    load.pace(SLOW_MS)
    await load.start({ api: await signIn(embedded), count: RUNS, kills: 0 })
    await untilAsked(load, RUNS)
    await embedded.stop()
    await killAt(back, { at: [NOTES_ARRIVAL, COMMITS], leaves: 'a move cut short' })
    const unfinished = await goOnWith(load, back)
    const server = await serve({ dataDir: here.dataDir, env: { ...env, DATABASE_URL: other } })
    await load.waitForAll({ api: await signIn(server), timeoutMs: 120_000 })
    expect(unfinished).toBeGreaterThan(0)
    // What was stopped with its program may be asked once more.
    expect(load.findFaults({ kills: 1 })).toEqual([])
  },
  PATIENCE_MS,
)

interface Sides {
  here: Place
  there: Place
  load: ChainLoad
}

/** Moves it beside the program that serves it, whose runs end at the other side. */
async function goOnEmbedded({ here, there, load }: Sides): Promise<void> {
  const server = await serve(here)
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  await load.prepare(api)
  const move = await moveToEmbedded(here, there)
  load.pace(SLOW_MS)
  await load.start({ api, count: RUNS, kills: 0 })
  await untilAsked(load, RUNS)
  await killAt(move, { at: [READS, READS], leaves: 'all' })
  await takesWrites(api)
  await load.start({ api, count: RUNS, kills: 0 })
  await untilAsked(load, RUNS)
  await killAt(move, { at: [REFUSES_WRITES, COMMITS], isCarried: true, leaves: 'a move cut short' })
  const unfinished = await goOnWith(load, move)
  await server.stop()
  const embedded = await serve(there)
  await load.waitForAll({ api: await signIn(embedded), timeoutMs: 120_000 })
  await embedded.stop()
  expect(unfinished).toBeGreaterThan(0)
  expect(load.acknowledged).toBe(2 * RUNS)
  expect(load.findFaults({ kills: 0 })).toEqual([])
}

/** Moves it to the end; how many steps are yet to be done there. */
async function goOnWith(load: ChainLoad, { args, options }: Move): Promise<number> {
  const { code, out, err } = await runCommand(args, options)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  load.pace(QUICK_MS)
  expect(out).toContain('each table has the same hash on both sides')
  return load.acknowledged * STEPS - load.calls
}

/** Waits until so many more steps have asked the model. */
async function untilAsked(load: ChainLoad, more: number): Promise<void> {
  const wanted = load.calls + more
  await expect.poll(() => load.calls, { timeout: 60_000 }).toBeGreaterThanOrEqual(wanted)
}

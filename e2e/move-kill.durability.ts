import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance, Prompt } from '@catenary/contracts'
import { afterEach, expect, test } from 'vitest'
import { createServerDatabase } from '../apps/server/src/testing/database.ts'
import { createApi } from './harness/api.ts'
import { createRandom } from './harness/chain-load.ts'
import { launchCommand, runCommand } from './harness/command.ts'
import { seedAccount } from './harness/seed.ts'
import { startServer } from './harness/server.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const ROUNDS = 4
const KILLS_A_ROUND = 5
const PROMPTS = 300
/** A move of so little takes no longer, up to its last message. */
const MOVE_MS = 6_000

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

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'catenary-move-'))
  closing.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** What the program has there; undefined where it does not start because a move went that far. */
async function readTitles(place: Place): Promise<string[] | undefined> {
  const server = await startServer(place).catch((error: unknown) => {
    if (!/A move of this database was cut short|This database was moved/.test(String(error))) throw error
    return undefined
  })
  if (server === undefined) return undefined
  const api = createApi(server.url)
  // That the mover is dead shows after a moment.
  while ((await api.get<Instance>('/api/instance')).readOnly !== null) await sleep(50)
  await api.post('/api/login', { username: seedAccount.username, password: seedAccount.password })
  const prompts = await api.get<Prompt[]>('/api/prompts')
  await server.stop()
  return prompts.map(({ title }) => title).toSorted()
}

test('killed anywhere, a move leaves everything whole at one side, and the next try gets there', async () => {
  console.log(`seed ${SEED}`)
  const random = createRandom(SEED)
  let here: Place = { dataDir: await makeDirectory(), env: SHARED }
  const titles = await fill(here)
  for (let round = 0; round < ROUNDS; round += 1) {
    const isEmbedded = here.env.DATABASE_URL === undefined
    const url = await createServerDatabase({ migrated: false })
    const there: Place = isEmbedded
      ? { dataDir: here.dataDir, env: { ...SHARED, DATABASE_URL: url } }
      : { dataDir: await makeDirectory(), env: SHARED }
    const args = ['move', '--to', isEmbedded ? url : 'embedded']
    // The command makes an embedded database in the directory that it is told.
    const options = { dataDir: there.dataDir, env: here.env }
    for (let kill = 0; kill < KILLS_A_ROUND; kill += 1) {
      const child = launchCommand(args, options)
      await sleep(random() * MOVE_MS)
      await child.kill()
      const left = await readTitles(here)
      if (left !== undefined) expect(left, `round ${round}, kill ${kill}`).toEqual(titles)
    }
    const { code, out, err } = await runCommand(args, options)
    // It may have been over before the last kill.
    if (code !== 0) expect(err).toContain('This database was moved')
    else expect(out).toContain('Start Catenary with')
    expect(await readTitles(there)).toEqual(titles)
    expect(await readTitles(here)).toBe(undefined)
    here = there
  }
}, 1_800_000)

async function fill(place: Place): Promise<string[]> {
  const server = await startServer(place)
  const api = createApi(server.url)
  await api.post('/api/register', seedAccount)
  const titles = Array.from({ length: PROMPTS }, (_, number) => `Prompt ${number}`)
  for (const title of titles) {
    await api.post('/api/prompts', { title, content: `${title} ${'é'.repeat(5_000)}`, categoryId: 1 })
  }
  await server.stop()
  return titles.toSorted()
}

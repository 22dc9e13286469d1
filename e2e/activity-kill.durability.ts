import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { type DatabaseClient, openDatabase } from '../apps/server/src/database/open/client.ts'
import { verifyActivity } from '../apps/server/src/database/statements/activity-chain.ts'
import { linkActivity } from '../apps/server/src/features/activity/activity.ts'
import { connectTo } from '../apps/server/src/testing/connect.ts'
import { createDataDirectory, createServerDatabase } from '../apps/server/src/testing/database.ts'
import { startApp, TEST_SECRET_KEY } from '../apps/server/src/testing/harness.ts'
import { startLibrary } from '../apps/server/src/testing/library.ts'
import { createRandom } from './harness/chain-load.ts'

const WORKLOAD = fileURLToPath(
  new URL('../apps/server/src/testing/durability/activity-workload.ts', import.meta.url),
)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const KILLS = 10
const LATE_MS = 60_000
const PATIENCE_MS = 600_000

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Place {
  dataDir: string
  databaseUrl?: string
}

/** Where programs are started that make tags of one person, and what they were told that they made. */
async function prepare(place: Place) {
  const client = await openPlace(place)
  const library = await startLibrary(client.kind, { database: { client } })
  const { headers } = library.owner
  await library.close()
  await client.close()
  const work = mkdtempSync(path.join(tmpdir(), 'catenary-activity-'))
  closing.push(() => rmSync(work, { recursive: true, force: true }))
  const journal = path.join(work, 'journal')
  writeFileSync(journal, '')
  let started = 0
  const open = async (): Promise<ChildProcess> => {
    started += 1
    const env = {
      ...process.env,
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      HEADERS: JSON.stringify(headers),
      JOURNAL: journal,
      NAMED: `program-${started}`,
      SECRET: TEST_SECRET_KEY,
    }
    const child = spawn(process.execPath, [WORKLOAD], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    closing.push(() => child.kill('SIGKILL'))
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    expect(child.exitCode).toBeNull()
    return child
  }
  return { open, told: () => readFileSync(journal, 'utf8').split('\n').filter(Boolean).map(Number) }
}

function openPlace(place: Place): Promise<DatabaseClient> {
  return openDatabase({ ...place, fsync: false })
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Links what is left, and asks that no row was lost, doubled or passed by. */
async function expectAllLinked(client: DatabaseClient, told: number[]): Promise<void> {
  const app = await startApp({ database: { client } })
  await linkActivity(app.ctx)
  await app.close()
  const read = async (text: string) => (await client.pool.query(text)).rows
  const [links] = await read(`
    select count(*)::integer as all, count(distinct activity_id)::integer as rows, min(number) as first, max(number) as last,
      (select count(*)::integer from activity) as written
    from activity_links`)
  expect(links).toEqual({
    all: links.written,
    rows: links.written,
    first: 1,
    last: links.written,
    written: links.written,
  })
  const made = (await read('select id from tags order by id')).map(({ id }) => id)
  const recorded = await read(
    `select object_id as id from activity where kind = 'tag.created' order by object_id`,
  )
  expect(recorded.map(({ id }) => id)).toEqual(made)
  expect(made).toEqual(expect.arrayContaining(told))
  expect((await verifyActivity(client.pool))?.problem).toBeNull()
  console.log(`seed ${SEED}: ${links.written} rows, ${told.length} of them told, ${KILLS} kills`)
}

test(
  'a program that is killed ten times between what it does and its links loses, doubles and passes by no row',
  async () => {
    const dataDir = await createDataDirectory()
    closing.push(() => rmSync(dataDir, { recursive: true, force: true }))
    const { open, told } = await prepare({ dataDir })
    const random = createRandom(SEED)
    for (let killed = 0; killed < KILLS; killed += 1) {
      const child = await open()
      await sleep(200 + random() * 1_800)
      await kill(child)
    }
    const client = await openPlace({ dataDir })
    closing.push(() => client.close())
    expect(told().length).toBeGreaterThan(KILLS)
    await expectAllLinked(client, told())
  },
  PATIENCE_MS,
)

test(
  'two programs that link at once and are killed by turns give each row one link, also one that commits a minute late',
  async () => {
    const databaseUrl = await createServerDatabase()
    const place = { dataDir: '', databaseUrl }
    const { open, told } = await prepare(place)
    const client = await openPlace(place)
    closing.push(() => client.close())
    // Of its own, as the program ends a session that only waits.
    const late = await connectTo(databaseUrl)
    closing.push(() => late.end())
    await late.query('begin')
    const { rows } = await late.query(
      `insert into activity (kind, object_type, door) values ('label.protected', 'label', 'job') returning id`,
    )
    const began = Date.now()

    const random = createRandom(SEED)
    const programs = [await open(), await open()]
    for (let killed = 0; killed < KILLS; killed += 1) {
      await sleep(200 + random() * 1_800)
      const turn = killed % programs.length
      await kill(programs[turn] as ChildProcess)
      programs[turn] = await open()
    }
    await sleep(Math.max(0, began + LATE_MS - Date.now()))
    await late.query('commit')
    for (const program of programs) await kill(program)

    expect(told().length).toBeGreaterThan(KILLS)
    await expectAllLinked(client, told())
    const { rows: before } = await client.pool.query(
      `select from activity_links where activity_id > $1
      and number < (select number from activity_links where activity_id = $1)`,
      [rows[0].id],
    )
    expect(before.length).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)

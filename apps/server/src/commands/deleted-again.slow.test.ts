import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../database/open/client.ts'
import { readDeleted } from '../keeping/deletions/deleted-records.ts'
import { createDataDirectory, createEmptyDirectory, createServerDatabase } from '../testing/database.ts'
import { backUp } from './backup.ts'
import { moveTo } from './move.ts'
import { restore } from './restore.ts'

const PATIENCE_MS = 240_000
vi.setConfig({ testTimeout: PATIENCE_MS })
const NAMES = 'select name from categories order by name'

let work: string
beforeAll(async () => {
  work = await createEmptyDirectory()
})
afterAll(() => rmSync(work, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

const place = (...names: string[]) => path.join(work, ...names)

interface Target {
  url?: string
  dataDir: string
}

function use({ url, dataDir }: Target): void {
  vi.stubEnv('DATABASE_URL', url)
  vi.stubEnv('DATA_DIR', dataDir)
  vi.stubEnv('SECRET_KEY', 'the-key-of-this-test-has-more-than-32-characters')
}

async function query({ url, dataDir }: Target, text: string): Promise<unknown[]> {
  const database = await openDatabase({ ...(url && { databaseUrl: url }), dataDir, fsync: false })
  try {
    return (await database.pool.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await database.close()
  }
}

const newTarget: Record<DatabaseClient['kind'], () => Promise<Target>> = {
  embedded: async () => ({ dataDir: await createDataDirectory() }),
  server: async () => ({ url: await createServerDatabase(), dataDir: await createEmptyDirectory() }),
}

test.each([
  ['embedded', 'embedded'],
  ['server', 'server'],
  ['server', 'embedded'],
] as const)(
  'what was deleted from %s since a copy was made is deleted again when that is restored to %s',
  async (kind, to) => {
    const source = await newTarget[kind]()
    const folder = place(`${kind}-${to}`)
    mkdirSync(folder)
    await query(source, `insert into categories (name) values ('deleted'), ('kept')`)
    use(source)
    const file = path.join(folder, 'first')
    await backUp(file, {})
    await query(source, `delete from categories where name = 'deleted'`)
    // Brings the file beside it up to date.
    const second = path.join(folder, 'second')
    await backUp(second, {})
    expect(await readDeleted(folder)).toMatchObject([{ kind: 'categories' }])

    const target =
      to === 'server'
        ? { url: await createServerDatabase({ migrated: false }), dataDir: await createEmptyDirectory() }
        : { dataDir: place(`restored-${kind}`) }
    use(target)
    expect(await restore(file, {})).toContain(
      'Deleted again what had been deleted since: 1 record from deleted.jsonl.\n',
    )
    expect(await query(target, NAMES)).toEqual(['kept'])
    // Where it goes on, the next restore knows it too.
    expect(await readDeleted(target.dataDir)).toMatchObject([{ kind: 'categories' }])

    // One with the same id, made since, is another.
    await query(target, `insert into categories (id, name) overriding system value values (1, 'new')`)
    const third = path.join(folder, 'third')
    await backUp(third, {})
    const last = { dataDir: place(`last-${kind}-${to}`) }
    if (to === 'server') use({ url: await createServerDatabase({ migrated: false }), ...last })
    else use(last)
    expect(await restore(third, {})).not.toContain('deleted again')
  },
)

test('a copy alone, without the file beside it, brings back what was deleted', async () => {
  const source = await newTarget.server()
  await query(source, `insert into categories (name) values ('deleted')`)
  use(source)
  mkdirSync(place('alone'))
  await backUp(place('alone', 'first'), {})
  const target = { dataDir: place('restored-alone') }
  use(target)
  expect(await restore(place('alone', 'first'), {})).not.toContain('deleted again')
  expect(await query(target, NAMES)).toEqual(['deleted'])
})

test('a move does not take along what a database that was put back by hand still has', async () => {
  const source = await newTarget.embedded()
  await query(source, `insert into categories (name) values ('deleted'), ('kept')`)
  const [id, createdAt] = await query(source, `select id, created_at from categories where name = 'deleted'`)
  const line = JSON.stringify({
    kind: 'categories',
    key: { id, created_at: createdAt },
    time: new Date().toISOString(),
  })
  writeFileSync(path.join(source.dataDir, 'deleted.jsonl'), `not a line\n${line}\n{"kind":`)
  const url = await createServerDatabase({ migrated: false })
  use(source)
  expect(await moveTo({ to: url })).toContain('Deleted again what had been deleted since: 1 record ')
  expect(await query({ url, dataDir: '' }, NAMES)).toEqual(['kept'])
})

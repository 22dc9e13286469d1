import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../apps/server/src/db/client.ts'
import { createApi } from './harness/api.ts'
import { runCommand } from './harness/command.ts'
import { copyEarlierData } from './harness/earlier-data.ts'
import { seed, seedAccount } from './harness/seed.ts'
import { type RunningServer, startServer } from './harness/server.ts'

/** The commits that landed first end with it. */
const FIRST_COMMIT = 'b0cbd7d56d943560f05205f33a28feb0d68eaac4'
/** Making the data installs what that commit was built with. */
const PATIENCE_MS = 1_800_000
const HEADER = 'Bearer c4n4ry-header'

/** Something in each of its tables that a person writes to. */
async function fill({ url }: RunningServer): Promise<void> {
  const api = createApi(url)
  const { promptIds } = await seed(api)
  const other = { username: 'grace', email: 'grace@example.org', password: 'correct horse battery' }
  await createApi(url).post('/api/register', other)
  const [category] = await api.get<{ id: number }[]>('/api/categories')
  const changed = { title: 'Changed', content: 'Say $<tone> things', categoryId: category?.id }
  await api.call('PATCH', `/api/prompts/${promptIds[0]}`, changed)
  const weather = {
    ...{ name: 'weather', type: 'api', apiUrl: 'https://weather.example.org/' },
    apiHeaders: { Authorization: HEADER },
  }
  await api.post('/api/variables', weather)
  const { id } = await api.post<{ id: number }>('/api/chains', { name: 'Letters', sharedLevel: 'public' })
  for (const [position, title] of ['Read', 'Answer'].entries()) {
    const content = position === 0 ? 'Read {{input}} in a $<tone> way' : 'Answer {{read}}'
    const step = { title, content, outputVariableName: title.toLowerCase(), model: 'claude', position }
    await api.post(`/api/chains/${id}/steps`, step)
  }
  const started = await api.post<{ id?: number; executionId?: number }>(`/api/chains/${id}/execute`, {
    input: 'A letter',
  })
  const run = started.executionId ?? started.id
  const status = async () => (await api.get<{ status: string }>(`/api/executions/${run}/status`)).status
  await expect.poll(status, { timeout: 120_000 }).toBe('completed')
}

type Row = Record<string, unknown>

/** All rows of each table, by table. The database may be of any version, and stays as it is. */
async function readAll(dataDir: string): Promise<Map<string, Row[]>> {
  const database = await openDatabase({ dataDir, fsync: false })
  try {
    const { rows: tables } = await database.pool.query(
      `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
    )
    const read = new Map<string, Row[]>()
    for (const { name } of tables) {
      const { rows } = await database.pool.query(
        `select row_to_json(kept) as row from public."${name}" as kept`,
      )
      read.set(
        name,
        rows.map(({ row }) => row),
      )
    }
    return read
  } finally {
    await database.close()
  }
}

const countAll = (read: Map<string, Row[]>) => new Map([...read].map(([name, rows]) => [name, rows.length]))

/** Of the rows before those that are not after, in the columns that stayed. */
function listMissing(before: Row[], after: Row[]): Row[] {
  const stayed = Object.keys(before[0] ?? {}).filter((column) => column in (after[0] ?? {}))
  const inStayed = (row: Row) => JSON.stringify(stayed.map((column) => row[column]))
  const there = new Set(after.map(inStayed))
  return before.filter((row) => !there.has(inStayed(row)))
}

test(
  'the data of the first commits are rehearsed without a change to them, and then upgraded with every row and value that stayed',
  async () => {
    const dataDir = await copyEarlierData({ commit: FIRST_COMMIT, name: 'seeded', use: fill })
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const before = await readAll(dataDir)
    expect(countAll(before).get('prompts')).toBeGreaterThan(5)
    const rehearsed = await runCommand(['upgrade', '--rehearse', '--json'], { dataDir })
    expect(rehearsed).toMatchObject({ code: 0, err: '' })
    const rehearsal = JSON.parse(rehearsed.out)
    expect(rehearsal).toMatchObject({ file: null, before: { schema: 5 }, room: { fits: true } })
    expect(rehearsal.migrations.length).toBe(rehearsal.after.schema - 5)
    expect(rehearsal.migrations[0].name).toMatch(/^0005_/)
    const told: { name: string; before: number | null; after: number | null }[] = rehearsal.tables
    expect(new Map(told.flatMap(({ name, before }) => (before === null ? [] : [[name, before]])))).toEqual(
      countAll(before),
    )
    expect(await readAll(dataDir)).toEqual(before)

    const server = await startServer({ dataDir })
    const { username, password } = seedAccount
    const api = createApi(server.url)
    await api.post('/api/login', { username, password })
    const variables = await api.get<{ name: string; apiHeaders?: Record<string, string> }[]>('/api/variables')
    expect(variables.find(({ name }) => name === 'weather')?.apiHeaders).toEqual({ Authorization: HEADER })
    await server.stop()
    const after = await readAll(dataDir)
    const missing = [...before].map(([name, rows]) => [name, listMissing(rows, after.get(name) ?? [])])
    expect(Object.fromEntries(missing.filter(([, rows]) => rows?.length !== 0))).toEqual({})
    for (const { name, after: rows } of told) if (rows === null) expect(after.has(name)).toBe(false)
  },
  PATIENCE_MS,
)

import { rmSync } from 'node:fs'
import type { Instance } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { migrate } from '../../database/open/migrate.ts'
import { announceMove, becomeMover, readMarks } from '../../database/open/move-marks.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import {
  createEmptyDirectory,
  createServerDatabase,
  openEmptyDatabase,
  useTestDatabase,
} from '../../testing/database.ts'
import { startFullDatabase } from '../../testing/full-database.ts'
import type { TableContent } from '../backup/backup-parts.ts'
import { withRows } from '../backup/read-rows.ts'
import { moveDatabase } from './move-database.ts'
import { embeddedTarget, type MoveTarget, serverTarget } from './move-target.ts'
import { requireNotMoved } from './require-not-moved.ts'

const openServer = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: '', fsync: false })
const emptyServer = () => createServerDatabase({ migrated: false })

/** What each table has, but for the notes of moves. */
async function readContents(database: DatabaseClient): Promise<Record<string, TableContent>> {
  await database.pool.query(`delete from settings where key = 'arrived'`)
  return withRows(database, async ({ parts, tables }) => {
    for await (const _part of parts);
    return tables()
  })
}

async function moveAndClose(options: { source: DatabaseClient; target: MoveTarget }) {
  try {
    return await moveDatabase({ ...options, settleMs: 0 })
  } finally {
    await options.target.close()
  }
}

describe('a full database', () => {
  it('Everything moves to a PostgreSQL and back with equal hashes. What was left refuses writes, and starts only with `--reopen`.', async () => {
    const lab = await startFullDatabase('server')
    await lab.app.close()
    const first = lab.client
    const contents = await readContents(first)
    const dataDir = await createEmptyDirectory()
    const moved = await moveAndClose({ source: first, target: embeddedTarget({ dataDir, fsync: false }) })
    const rows = Object.values(contents).reduce((sum, table) => sum + table.rows, 0)
    // The notice of the move is a row too.
    expect(moved).toMatchObject({ rows: rows + 1, tables: Object.keys(contents).length })
    const away = requireNotMoved(first, { reopen: false })
    await expect(away).rejects.toThrow(/moved to an embedded database on .*--reopen/)
    await expect(first.pool.query(`insert into categories (name) values ('late')`)).rejects.toThrow(
      'was moved',
    )

    const embedded = await openDatabase({ dataDir, fsync: false })
    await requireNotMoved(embedded, { reopen: false })
    expect(await readContents(embedded)).toEqual(contents)
    const url = await emptyServer()
    await moveAndClose({ source: embedded, target: serverTarget(url) })
    const last = await openServer(url)
    expect(await readContents(last)).toEqual(contents)
    await requireNotMoved(embedded, { reopen: true })
    expect(await readContents(embedded)).toEqual(contents)
    await embedded.pool.query(`insert into categories (name) values ('again')`)
    for (const database of [embedded, last]) await database.close()
    await lab.close()
    rmSync(dataDir, { recursive: true })
  })
})

describe('a move beside the program', () => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary('server')
    await library.app.start()
  })
  afterAll(() => library.close())

  const save = () =>
    library.request({ method: 'POST', url: '/api/categories', body: { name: 'Late' }, as: library.owner })
  const readOnly = async () => ((await library.request({ url: '/api/instance' })).body as Instance).readOnly

  it('whose mover dies lets people write again', async () => {
    await library.client
      .withoutLimit(async (client) => {
        expect(await becomeMover(client, 0)).toBe(true)
        await announceMove(client)
        await vi.waitFor(async () => expect(await readOnly()).toBe('moving'))
        const refused = await save()
        expect(refused.status).toBe(503)
        expect(refused.headers['retry-after']).toBe('30')
        expect(refused.body).toEqual({ error: expect.stringContaining('being moved') })
        expect((await library.request({ url: '/api/prompts', as: library.owner })).status).toBe(200)
        // As the end of its process would.
        throw new Error('killed')
      })
      .catch(() => {})
    await vi.waitFor(async () => expect(await readOnly()).toBe(null))
    expect((await save()).status).toBe(201)
  })

  it('Beside the program a move refuses writes with 503 and a notice, lets people read, and waits for steps under way; a chain run goes on at the other side, no step repeated.', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}', 'three {{b}}'])
    const held = Promise.withResolvers<void>()
    library.fake.reply({ text: 'A', before: () => held.promise }, { text: 'B' }, { text: 'C' })
    const id = await library.execute(chain.id)
    await vi.waitFor(() => expect(library.sent()).toEqual(['one']))
    const url = await emptyServer()
    const target = serverTarget(url)
    const moving = moveDatabase({ source: library.client, target })
    await vi.waitFor(async () => expect(await readOnly()).toBe('moving'))
    held.resolve()
    await moving
    await target.close()
    await vi.waitFor(async () => expect(await readOnly()).toBe('moved'))
    expect((await save()).status).toBe(503)
    expect(library.sent()).toEqual(['one'])

    const there = await openServer(url)
    // What it cost is written a moment after its step has ended.
    expect((await there.pool.query('select sum(calls)::integer as calls from model_spending')).rows).toEqual([
      { calls: 1 },
    ])
    const process = await library.startProcess({}, there)
    await process.app.start()
    const status = async () =>
      (await process.request({ url: `/api/executions/${id}/status`, as: library.owner })).body
    await vi.waitFor(async () => expect(await status()).toMatchObject({ status: 'completed' }))
    expect(library.sent()).toEqual(['one', 'two A', 'three B'])
    await process.close()
    await there.close()
  })
})

describe('a move that can’t be', () => {
  const database = useTestDatabase('server')
  const source = () => database.client

  it('is refused: another version, rows at the target, another move, runs that do not end', async () => {
    const other = await openEmptyDatabase('server')
    await expect(moveAndClose({ source: other, target: serverTarget(await emptyServer()) })).rejects.toThrow(
      'older version',
    )
    await other.close()
    const full = serverTarget(await createServerDatabase())
    await expect(moveAndClose({ source: source(), target: full })).rejects.toThrow('already has tables')
    await source()
      .withoutLimit(async (client) => {
        await becomeMover(client, 0)
        const target = serverTarget(await emptyServer())
        await expect(moveDatabase({ source: source(), target, patienceMs: 0, settleMs: 0 })).rejects.toThrow(
          'Another move is running',
        )
        throw new Error('over')
      })
      .catch(({ message }) => expect(message).toBe('over'))
    await source().pool.query(
      `insert into jobs (queue, key, is_held, next_at) values ('q', 'k', true, now() + interval '1 hour')`,
    )
    const target = serverTarget(await emptyServer())
    const patient = moveDatabase({ source: source(), target, patienceMs: 0, settleMs: 0 })
    await expect(patient).rejects.toThrow('1 runs or jobs are still running')
    await target.close()
    expect(await readMarks(source().pool)).toEqual({})
    await source().pool.query('delete from jobs')
  })

  it('that fails at its last moment leaves the rows where they were, and the next try works', async () => {
    const url = await emptyServer()
    const broken: MoveTarget = {
      ...serverTarget(url),
      keep: () => Promise.reject(new Error('no room')),
      hasArrived: async () => false,
    }
    await expect(moveDatabase({ source: source(), target: broken })).rejects.toThrow('no room')
    await broken.close()
    expect(await readMarks(source().pool)).toEqual({})
    await source().pool.query(`insert into categories (name) values ('goes on')`)
    await moveAndClose({ source: source(), target: serverTarget(await emptyServer()) })
    const again = moveAndClose({ source: source(), target: serverTarget(await emptyServer()) })
    await expect(again).rejects.toThrow(/was moved on .*--reopen/)
    await requireNotMoved(source(), { reopen: true })
  })

  it('that was cut off once all had arrived is only noted by the next try', async () => {
    const url = await emptyServer()
    const target = serverTarget(url)
    await moveDatabase({ source: source(), target })
    await source().pool.query(`begin; select set_config('catenary.move', 'on', true);
      update settings set value = value || '{"isOver": false}' where key = 'moved'; commit`)
    await expect(requireNotMoved(source(), { reopen: false })).rejects.toThrow('Run "catenary move" again')
    expect(await moveDatabase({ source: source(), target })).toMatchObject({ rows: null, tables: 0 })
    await target.close()
    await expect(requireNotMoved(source(), { reopen: false })).rejects.toThrow(/moved to a PostgreSQL/)
    const there = await openServer(url)
    await requireNotMoved(there, { reopen: false })
    await migrate({ database: there })
    await there.close()
    await requireNotMoved(source(), { reopen: true })
  })
})

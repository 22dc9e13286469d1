import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type DeletedRecord,
  keepDeleted,
  mergeDeleted,
  readDeleted,
} from '../../keeping/deletions/deleted-records.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { databaseKinds } from '../../testing/database.ts'
import { startApp } from '../../testing/harness.ts'
import { deleteOldRuns } from '../instance/retention.sql.ts'
import { saveBackup, savePlace } from './backups.sql.ts'

const PATIENCE_MS = 120_000
const DAY_MS = 86_400_000
const fileIn = (directory: string) => path.join(directory, 'deleted.jsonl')
/** Versions go with what they are of; two processes may both have written a line. */
const toIds = (records: DeletedRecord[]) =>
  mergeDeleted(records).flatMap(({ kind, key }) => (kind.endsWith('_versions') ? [] : [[kind, key.id]]))

describe.each(databaseKinds)('what is deleted for good, on %s', (kind) => {
  let place: string
  let copies: string
  let settings: object
  let library: ChainLibrary
  beforeAll(async () => {
    place = mkdtempSync(path.join(tmpdir(), 'deleted-'))
    copies = path.join(place, 'copies')
    mkdirSync(copies)
    settings = { dataDir: place, backups: { directory: copies, time: '03:00', command: undefined } }
    library = await startChainLibrary(kind, {}, settings)
  }, PATIENCE_MS)
  afterAll(async () => {
    await library?.close()
    rmSync(place, { recursive: true, force: true })
  })
  afterEach(async () => {
    for (const directory of [place, copies]) rmSync(fileIn(directory), { force: true })
    for (const table of ['deletions', 'backups', 'settings']) {
      await library.client.pool.query(`delete from ${table}`)
    }
  })

  const remove = async (url: string) => {
    expect(await library.request({ method: 'DELETE', url, as: library.owner })).toMatchObject({ status: 204 })
  }
  const deletePrompt = async (fields: object = {}) => {
    const { id } = await library.createPrompt(library.owner, fields)
    await remove(`/api/prompts/${id}`)
    return ['prompts', id]
  }
  const readBoth = async () => Promise.all([place, copies].map(async (at) => toIds(await readDeleted(at))))
  /** Another process on the same database, until it has come up. */
  const startAnother = async (now = new Date()) => {
    const other = await startApp({ kind, database: library, settings, now: () => now })
    await other.app.start()
    await other.close()
  }
  const recordOf = (id: number, time: Date): DeletedRecord => ({ kind: 'prompts', key: { id }, time })

  test('What a person deletes for good is noted beside the key and beside the copies before the caller hears of it, without its texts; a note goes once it is a year old and older than each copy (D54).', async () => {
    const prompt = await deletePrompt({ title: 'A secret title' })
    expect(await readBoth()).toEqual([[prompt], [prompt]])
    const { chain } = await ranOnce()
    await remove(`/api/chains/${chain}`)
    // What goes with it does so again.
    const both = [prompt, ['chains', chain]]
    expect(await readBoth()).toEqual([both, both])
    for (const directory of [place, copies]) {
      for (const { time, key } of await readDeleted(directory)) {
        expect(Math.abs(Date.now() - time.getTime())).toBeLessThan(DAY_MS)
        expect(key.created_at).toBeInstanceOf(Date)
      }
      expect(readFileSync(fileIn(directory), 'utf8')).not.toContain('secret')
      expect(statSync(fileIn(directory)).mode & 0o777).toBe(0o600)
    }
  })

  const ranOnce = async () => {
    const chain = await library.buildChain([{ content: 'Write' }], { name: 'A secret name' })
    const run = await library.execute(chain.id)
    await library.ended(run)
    return { chain: chain.id, run }
  }

  test('by a person, is noted; by the program as too old, or taken back with its transaction, is not', async () => {
    const old = await ranOnce()
    const before = new Date(Date.now() + DAY_MS)
    const deleted = await deleteOldRuns(library.db, { before, signal: new AbortController().signal })
    expect(deleted).toBeGreaterThan(0)
    const { run } = await ranOnce()
    const client = await library.client.pool.connect()
    await client.query('begin')
    await client.query('delete from executions where id = $1', [run])
    await client.query('rollback')
    client.release()
    await remove(`/api/executions/${run}`)
    expect(await readBoth()).toEqual([[['executions', run]], [['executions', run]]])
    expect(old.run).not.toBe(run)
  })

  test('is noted also where a line before was cut short', async () => {
    const first = await deletePrompt()
    for (const directory of [place, copies]) appendFileSync(fileIn(directory), '{"kind":"prom')
    const second = await deletePrompt()
    expect(await readBoth()).toEqual([
      [first, second],
      [first, second],
    ])
  })

  test('is noted later where nobody came to it, once, and in a folder that is new', async () => {
    const first = await deletePrompt()
    rmSync(fileIn(copies))
    writeFileSync(fileIn(place), '')
    await library.client.pool.query(`insert into deletions (kind, key) values ('prompts', '{"id": 99}')`)
    await startAnother()
    const both = expect.arrayContaining([first, ['prompts', 99]])
    expect(await readBoth()).toEqual([both, both])
    await startAnother()
    for (const each of await readBoth()) expect(each).toHaveLength(2)
  })

  test('is not noted below the place of a disk that is not mounted', async () => {
    await savePlace(library.db, { directory: copies, marker: 'another' })
    const prompt = await deletePrompt()
    expect(await readBoth()).toEqual([[prompt], []])
  })

  test('is forgotten once it is a year old and older than each copy that is kept', async () => {
    const now = Date.now()
    const daysAgo = (days: number) => new Date(now - days * DAY_MS)
    const records = [recordOf(1, daysAgo(500)), recordOf(2, daysAgo(400)), recordOf(3, daysAgo(300))]
    for (const directory of [place, copies]) await keepDeleted(directory, { records, since: new Date(0) })
    await library.client.pool.query(
      `insert into deletions (kind, key, deleted_at) values ('prompts', '{"id": 1}', $1)`,
      [daysAgo(500)],
    )
    const copy = { reason: 'by hand', program: '1', name: 'a.catenary' } as const
    const kept = await saveBackup(library.db, { ...copy, state: 'kept', takenAt: daysAgo(450) })
    await startAnother()
    expect(await readBoth()).toEqual([
      [2, 3].map((id) => ['prompts', id]),
      [2, 3].map((id) => ['prompts', id]),
    ])
    expect((await library.client.pool.query('select from deletions')).rowCount).toBe(0)
    await library.client.pool.query(`update backups set state = 'deleted' where id = $1`, [kept.id])
    await startAnother()
    expect(await readBoth()).toEqual([[['prompts', 3]], [['prompts', 3]]])
  })
})

import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDataDirectory } from '../../testing/database.ts'
import { type DatabaseClient, openDatabase } from '../open/client.ts'
import { categories } from '../schema/index.ts'
import { DirectoryInUseError } from './directory-lock.ts'

describe('the embedded database', () => {
  let dataDir: string
  let database: DatabaseClient

  const open = () => openDatabase({ dataDir, fsync: true, connectionTimeoutMs: 1_000 })
  const insert = (name: string) => database.db.insert(categories).values({ name })
  const listNames = async () => (await database.db.select().from(categories)).map(({ name }) => name)

  beforeEach(async () => {
    dataDir = await createDataDirectory()
    database = await open()
  })
  afterEach(async () => {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('turns a query through the pool inside a transaction into an error', async () => {
    const slip = database.db.transaction(async (tx) => {
      await tx.insert(categories).values({ name: 'inside' })
      await insert('outside')
    })
    await expect(slip).rejects.toMatchObject({
      cause: { message: 'timeout exceeded when trying to connect' },
    })
    expect(await listNames()).toEqual([])
  })

  it('keeps other clients out of an open transaction', async () => {
    const received: string[] = []
    const client = await database.pool.connect()
    await client.query('begin')
    const listening = database.listen({ channel: 'door', onNotify: (payload) => received.push(payload) })
    await client.query(`select pg_notify('door', 'rolled back')`)
    // Time enough for its LISTEN to arrive, which must not run inside this transaction.
    await Promise.race([listening, delay(500)])
    await client.query('rollback')
    client.release()
    await listening
    await database.pool.query(`select pg_notify('door', 'open')`)
    await vi.waitFor(() => expect(received).toEqual(['open']))
  })

  it('keeps the statements of a client apart from those of the one that its failure ended', async () => {
    const named = (number: number) => ({
      name: 'named',
      text: 'select $1::integer as number',
      values: [number],
    })
    for (let number = 0; number < 20; number += 1) {
      const refused = database.pool.query({ name: 'refused', text: 'select 1 / $1::integer', values: [0] })
      const next = database.pool.connect()
      await expect(refused).rejects.toThrow('division by zero')
      const client = await next
      await client.query('begin')
      expect((await client.query(named(number))).rows).toEqual([{ number }])
      await client.query('commit')
      expect((await client.query(named(number))).rows).toEqual([{ number }])
      client.release()
    }
  })

  it('finishes what was sent before it closes', async () => {
    const sent = Promise.all(Array.from({ length: 20 }, (_, index) => insert(String(index))))
    await database.close()
    await sent
    database = await open()
    expect(await listNames()).toHaveLength(20)
  })

  it('closes over a transaction that nobody ends, and rolls it back', async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query("insert into categories (name) values ('unfinished')")
    await database.close()
    database = await open()
    expect(await listNames()).toEqual([])
  })

  it('closes over a statement that goes on forever', async () => {
    const endless = database.pool.query('select count(*) from generate_series(1, 1e12)')
    await Promise.all([expect(endless).rejects.toThrow(), database.close()])
    database = await open()
    expect(await listNames()).toEqual([])
  })

  it('is refused to a second opener and free after closing', async () => {
    await expect(open()).rejects.toThrow(DirectoryInUseError)
    await insert('first')
    await database.close()
    database = await open()
    expect(await listNames()).toEqual(['first'])
  })

  it('comes back with all that was committed after PostgreSQL panicked, and listeners with it', async () => {
    const received: string[] = []
    const onReconnect = vi.fn()
    await database.listen({ channel: 'news', onNotify: (payload) => received.push(payload), onReconnect })
    await insert('before')
    const wal = path.join(dataDir, 'database', 'pg_wal')
    await database.pool.query('select pg_switch_wal()')
    renameSync(wal, `${wal}-away`)
    await expect(insert('during')).rejects.toThrow()
    renameSync(`${wal}-away`, wal)

    await vi.waitFor(() => insert('after'))
    expect(await listNames()).toEqual(['before', 'after'])
    await vi.waitFor(() => expect(onReconnect).toHaveBeenCalled())
    await database.pool.query(`select pg_notify('news', 'heard again')`)
    await vi.waitFor(() => expect(received).toEqual(['heard again']))
  })

  it('starts on what a first start left that was cut short', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'catenary-first-'))
    for (const name of ['database.new', 'database.new-a1b2c3']) {
      mkdirSync(path.join(root, name))
      writeFileSync(path.join(root, name, 'PG_VERSION'), '18\n')
    }
    const fresh = await openDatabase({ dataDir: root, fsync: true })
    const { rows } = await fresh.pool.query('show fsync')
    expect(rows).toEqual([{ fsync: 'on' }])
    await fresh.close()
    expect(readdirSync(root)).toEqual(['database', 'lock'])
    rmSync(root, { recursive: true })
  })

  it('says why it can’t start', async () => {
    await database.close()
    writeFileSync(path.join(dataDir, 'database', 'PG_VERSION'), '12\n')
    await expect(open()).rejects.toThrow(/can't be opened: .*incompatible/)
    writeFileSync(path.join(dataDir, 'database', 'PG_VERSION'), '18\n')
    database = await open()
  })
})

import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { createServerDatabase } from '../../testing/database.ts'
import { startDatabaseProxy } from '../../testing/database-proxy.ts'
import { openDatabase } from './client.ts'

it('a server that ends all connections costs their statements, not the pool or the listeners', async () => {
  const databaseUrl = await createServerDatabase()
  const database = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
  const received: string[] = []
  const onReconnect = vi.fn()
  await database.listen({ channel: 'news', onNotify: (payload) => received.push(payload), onReconnect })
  const idle = await database.pool.connect()
  const checkedOut = await database.pool.connect()
  await checkedOut.query('begin')
  idle.release()

  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await admin.end()

  await expect(checkedOut.query('select 1')).rejects.toThrow()
  checkedOut.release()
  await vi.waitFor(() => database.pool.query('select 1'))
  await vi.waitFor(() => expect(onReconnect).toHaveBeenCalledTimes(1))
  await database.pool.query(`select pg_notify('news', 'heard again')`)
  await vi.waitFor(() => expect(received).toEqual(['heard again']))
  await database.close()
})

it('a connection that met a server which only reads tells its caller, and is not given out again', async () => {
  const database = await openDatabase({ databaseUrl: await createServerDatabase(), dataDir: '', fsync: true })
  const [met, other] = [await database.pool.connect(), await database.pool.connect()]
  await met.query('begin read only')
  await expect(met.query('create table never (id int)')).rejects.toMatchObject({ code: '25006' })
  await met.query('rollback')
  for (const client of [met, other]) client.release()
  expect([database.pool.totalCount, database.pool.idleCount]).toEqual([1, 1])
  await database.close()
})

it('connections that carry nothing any more are ended, and new ones take their place', async () => {
  const proxy = await startDatabaseProxy(await createServerDatabase())
  const database = await openDatabase({
    databaseUrl: proxy.url,
    dataDir: '',
    fsync: true,
    answerLimitMs: 2_000,
  })
  await database.pool.query('select 1')
  await database.withoutLimit((client) => client.query('select 1'))

  proxy.silence()
  await expect(database.pool.query('select 1')).rejects.toThrow('connection')
  await database.pool.query('select 1')
  await database.close()
  proxy.close()
})

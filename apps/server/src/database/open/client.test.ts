import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { categories } from '../schema/index.ts'

describe.each(databaseKinds)('the database client on %s', (kind) => {
  const database = useTestDatabase(kind)
  beforeEach(() => database.reset())

  const listNames = async () => (await database.client.db.select().from(categories)).map(({ name }) => name)

  it('reads back what was inserted', async () => {
    const [created] = await database.client.db.insert(categories).values({ name: 'General' }).returning()
    expect(created).toMatchObject({ id: 1, name: 'General', createdAt: expect.any(Date) })
    expect(await listNames()).toEqual(['General'])
  })

  it('keeps a committed transaction and forgets a failed one', async () => {
    const { db } = database.client
    await db.transaction((tx) => tx.insert(categories).values({ name: 'kept' }))
    const failed = db.transaction(async (tx) => {
      await tx.insert(categories).values({ name: 'forgotten' })
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    expect(await listNames()).toEqual(['kept'])
  })

  it('goes on after a statement failed inside a transaction', async () => {
    const { db } = database.client
    await expect(db.transaction((tx) => tx.execute(sql`select 1 / 0`))).rejects.toThrow()
    await db.insert(categories).values({ name: 'afterwards' })
    expect(await listNames()).toEqual(['afterwards'])
  })

  it('loses no update of transactions that run at the same time', async () => {
    const { db } = database.client
    const [row] = await db.insert(categories).values({ name: '0' }).returning()
    const increment = () =>
      db.transaction(async (tx) => {
        const byId = sql`${categories.id} = ${row?.id}`
        const [current] = await tx.select().from(categories).where(byId).for('update')
        await new Promise((resolve) => setImmediate(resolve))
        await tx
          .update(categories)
          .set({ name: String(Number(current?.name) + 1) })
          .where(byId)
      })
    await Promise.all(Array.from({ length: 20 }, increment))
    expect(await listNames()).toEqual(['20'])
  })

  it('rolls back for a client that is lost inside a transaction, and serves the next', async () => {
    const { pool } = database.client
    const lost = await pool.connect()
    await lost.query('begin')
    await lost.query("insert into categories (name) values ('lost')")
    await lost.query('set lock_timeout = 12345')
    lost.release(new Error('lost'))
    expect(await listNames()).toEqual([])
    const { rows } = await pool.query('show lock_timeout')
    expect(rows).toEqual([{ lock_timeout: '0' }])
  })

  it('lets a new client use the statement names of one that is gone', async () => {
    const { pool } = database.client
    for (let round = 0; round < 2; round++) {
      const client = await pool.connect()
      const { rows } = await client.query({ name: 'answer', text: 'select $1::int as answer', values: [42] })
      expect(rows).toEqual([{ answer: 42 }])
      client.release(new Error('gone'))
    }
  })

  it('carries large values both ways', async () => {
    const text = 'ü'.repeat(3_000_000)
    const { rows } = await database.client.pool.query('select $1::text as text', [text])
    expect(rows[0].text === text).toBe(true)
  })

  it('passes notifications to listeners, until they stop', async () => {
    const received: string[] = []
    const stop = await database.client.listen({ channel: 'news', onNotify: (news) => received.push(news) })
    await database.client.listen({ channel: 'Other news', onNotify: (news) => received.push(news) })
    await database.client.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_notify('news', 'first')`)
      await tx.execute(sql`select pg_notify('Other news', 'second')`)
    })
    await vi.waitFor(() => expect(received).toEqual(['first', 'second']))
    await stop()
    await database.client.pool.query(`select pg_notify('news', 'unheard')`)
    await database.client.pool.query(`select pg_notify('Other news', 'third')`)
    await vi.waitFor(() => expect(received).toEqual(['first', 'second', 'third']))
  })

  it('tells no listener about a transaction that was rolled back', async () => {
    const received: string[] = []
    await database.client.listen({ channel: 'rollback', onNotify: (news) => received.push(news) })
    const failed = database.client.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_notify('rollback', 'never')`)
      tx.rollback()
    })
    await expect(failed).rejects.toThrow()
    await database.client.pool.query(`select pg_notify('rollback', 'now')`)
    await vi.waitFor(() => expect(received).toEqual(['now']))
  })
})

describe('an embedded database whose disk is full', () => {
  const database = useTestDatabase('embedded')

  it('gives up a part of the reserve where a statement found no room, and not where it failed otherwise', async () => {
    const { client } = database
    const makeRoom = vi.spyOn(client.disk, 'makeRoom')
    const fail = (code: string) =>
      client.pool.query(`do $$ begin raise exception 'failed' using errcode = '${code}'; end $$`)
    await expect(fail('23505')).rejects.toThrow('failed')
    expect(makeRoom).not.toHaveBeenCalled()
    await expect(fail('disk_full')).rejects.toThrow('failed')
    expect(makeRoom).toHaveBeenCalledOnce()
  })
})

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import {
  createDataDirectory,
  createServerDatabase,
  databaseKinds,
  useTestDatabase,
} from '../../testing/database.ts'
import { type DatabaseClient, openDatabase } from '../open/client.ts'
import { categories } from '../schema/index.ts'
import { inBatches, runLongStatement } from './long-statements.ts'

/** Also on a busy machine a statement that does little takes less. */
const LIMIT_MS = 2_000
const ENDLESS = 'select count(*) from generate_series(1, 100000000000) as n'

describe.each(databaseKinds)('a statement that takes too long on %s', (kind) => {
  let database: DatabaseClient
  beforeAll(async () => {
    const options = { fsync: true, statementLimitMs: LIMIT_MS }
    database =
      kind === 'embedded'
        ? await openDatabase({ ...options, dataDir: await createDataDirectory() })
        : await openDatabase({ ...options, dataDir: '', databaseUrl: await createServerDatabase() })
  })
  afterAll(() => database.close())

  it('is ended, and others go on with all that was committed', async () => {
    await database.db.insert(categories).values({ name: 'kept' })
    await expect(database.pool.query(ENDLESS)).rejects.toMatchObject({ code: '57014' })
    await expect(database.db.execute(sql.raw(ENDLESS))).rejects.toMatchObject({ cause: { code: '57014' } })
    expect(await database.db.$count(categories)).toBe(1)
  })

  it('goes on where it is to take any time, and is ended again afterwards', async () => {
    const { rows } = await database.withoutLimit((client) =>
      client.query(`select 'whole' as text, pg_sleep(${(LIMIT_MS / 1_000) * 1.5})`),
    )
    expect(rows).toMatchObject([{ text: 'whole' }])
    await expect(database.withoutLimit((client) => client.query('select nothing'))).rejects.toThrow('nothing')
    await expect(database.pool.query(ENDLESS)).rejects.toMatchObject({ code: '57014' })
  })
})

describe.each(databaseKinds)('long statements on %s', (kind) => {
  const database = useTestDatabase(kind)
  const ended: string[] = []
  afterEach(() => {
    ended.length = 0
  })
  const pause = (name: string) =>
    database.client.db.execute(sql`select pg_sleep(0.05)`).then(() => ended.push(name))

  it('let short ones of others come between', async () => {
    const { db, pool } = database.client
    const long = Array.from({ length: 12 }, (_, index) => runLongStatement(db, () => pause(`long ${index}`)))
    const short = pool.query('select 1').then(() => ended.push('short'))
    await Promise.all([...long, short])
    // At once there are no more of them than connections for them, one or four.
    expect(ended.indexOf('short')).toBeLessThanOrEqual(4)
    expect(ended).toHaveLength(13)
  })

  it('are refused when too many wait, and taken again afterwards', async () => {
    const { db } = database.client
    const sent = Array.from({ length: 130 }, () => runLongStatement(db, () => delay(1)))
    const refused = (await Promise.allSettled(sent)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason] : [],
    )
    expect(refused.length).toBeGreaterThan(20)
    for (const error of refused) {
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ code: 'unavailable', retryAfter: 2 })
    }
    expect(await runLongStatement(db, async () => 'taken')).toBe('taken')
  })

  it('that fail release their permit', async () => {
    const { db } = database.client
    const failing = Array.from({ length: 8 }, () => runLongStatement(db, () => db.execute(sql`select 1 / 0`)))
    const statuses = (await Promise.allSettled(failing)).map(({ status }) => status)
    expect(statuses).toEqual(failing.map(() => 'rejected'))
    expect(await runLongStatement(db, async () => 'taken')).toBe('taken')
  })

  it('are cut into slices of a size that suits, until nothing is left or it is told to stop', async () => {
    const { db } = database.client
    let left = 1_000
    const sizes: number[] = []
    const take = async (size: number) => {
      sizes.push(size)
      const part = Math.min(size, left)
      left -= part
      return part
    }
    expect(await inBatches(db, take)).toBe(1_000)
    expect(sizes.slice(0, 3)).toEqual([20, 40, 80])
    left = 1_000
    sizes.length = 0
    await inBatches(db, (size) => delay(60).then(() => (sizes.length < 4 ? take(size) : 0)))
    expect(sizes.slice(0, 4)).toEqual([20, 10, 5, 2])
    const stop = AbortSignal.abort()
    await expect(inBatches(db, take, { signal: stop })).rejects.toThrow('abort')
  })
})

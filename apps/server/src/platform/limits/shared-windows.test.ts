import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { createProcessRows } from '../../db/processes/process-rows.ts'
import { addToWindows } from '../../db/processes/window-counts.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { createSharedWindows } from './shared-windows.ts'

const LIMIT = 60
const MINUTE_MS = 60_000
describe('windows that processes share', () => {
  const database = useTestDatabase('server')

  /** One process, with the statements that it sends. */
  function startProcess() {
    const send = addToWindows(database.client.pool)
    const sent: string[][] = []
    const createWindows = createSharedWindows((added) => {
      sent.push(added.map(({ key }) => key))
      return send(added)
    })
    const windows = createWindows({ name: 'calls' })
    const isAllowed = async (key: string) =>
      (await windows.add({ key, windowMs: MINUTE_MS, limit: LIMIT })).current <= LIMIT
    const countAllowed = async (key: string, calls: number) => {
      const answers = await Promise.all(Array.from({ length: calls }, () => isAllowed(key)))
      return answers.filter(Boolean).length
    }
    return { sent, createWindows, windows, countAllowed }
  }

  test.each([
    { load: 'all on one', of: [600, 0] },
    { load: 'even', of: [300, 300] },
    { load: '9 to 1', of: [540, 60] },
  ])('of 600 calls on two processes, $load, exactly the limit is allowed', async ({ load, of }) => {
    const allowed = await Promise.all(of.map((calls) => startProcess().countAllowed(load, calls)))
    expect(allowed.reduce((sum, each) => sum + each, 0)).toBe(LIMIT)
  })

  test('what waits goes together, and once the limit is met nothing is asked', async () => {
    const { sent, countAllowed } = startProcess()
    const both = await Promise.all([countAllowed('together', 100), countAllowed('other', 40)])
    expect(both).toEqual([LIMIT, 40])
    // The first call alone, then all that waited for it.
    expect(sent).toEqual([['calls together'], ['calls together', 'calls other']])
    expect(await countAllowed('together', 50)).toBe(0)
    expect(sent).toHaveLength(2)
  })

  test('each limit has windows of its own, which begin anew by the clock of the database', async () => {
    const { createWindows, windows } = startProcess()
    const key = 'ends'
    const add = () => windows.add({ key, windowMs: MINUTE_MS, limit: LIMIT, weight: 2 })
    expect(await add()).toMatchObject({ current: 2 })
    expect(await add()).toMatchObject({ current: 4 })
    const other = createWindows({ name: 'other' })
    expect(await other.add({ key, windowMs: MINUTE_MS, limit: LIMIT })).toMatchObject({ current: 1 })
    const { pool } = database.client
    for (const endsAt of ['now()', `now() + interval '1 day'`]) {
      await pool.query(`update rate_windows set ends_at = ${endsAt} where key = 'calls ends'`)
      const { current, ttl } = await add()
      expect(current).toBe(2)
      expect(ttl).toBeLessThanOrEqual(MINUTE_MS)
    }
  })

  test('a count that fails is refused, and the next one goes on', async () => {
    const databaseUrl = String(database.client.pool.options.connectionString)
    const own = await openDatabase({ databaseUrl, dataDir: '', fsync: true })
    const windows = createSharedWindows(addToWindows(own.pool))({ name: 'calls' })
    const add = () => windows.add({ key: 'fails', windowMs: MINUTE_MS, limit: LIMIT })
    await add()
    await database.client.pool.query('alter table rate_windows rename to away')
    for (const { status } of await Promise.allSettled([add(), add()])) expect(status).toBe('rejected')
    await database.client.pool.query('alter table away rename to rate_windows')
    expect(await add()).toMatchObject({ current: 2 })
    await own.close()
  })

  test('windows that are over are forgotten', async () => {
    const { countAllowed } = startProcess()
    await countAllowed('over', 1)
    const { pool } = database.client
    const isThere = async () =>
      (await pool.query(`select from rate_windows where key = 'calls over'`)).rowCount
    expect(await isThere()).toBe(1)
    await pool.query(`update rate_windows set ends_at = now() - interval '2 minutes'`)
    const rows = createProcessRows({ pool, alone: false })
    const state = { id: 'a', role: 'all', version: '1', host: 'h', runs: 0, jobs: 0, poolSize: 1 } as const
    await rows.beat(state)
    expect(await isThere()).toBe(0)
    await rows.remove('a')
  })
})

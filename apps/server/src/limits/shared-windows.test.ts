import { describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../database/open/client.ts'
import { createProcessRows } from '../database/statements/process-rows.ts'
import { addToWindows } from '../database/statements/window-counts.ts'
import { useTestDatabase } from '../testing/database.ts'
import { createSharedWindows } from './shared-windows.ts'

const LIMIT = 60
const MINUTE_MS = 60_000
describe('windows that processes share', () => {
  const database = useTestDatabase('server')

  /** One process, with the statements that were answered. */
  function startProcess() {
    const send = addToWindows(database.client.pool)
    const sent: string[][] = []
    const createWindows = createSharedWindows(async (added) => {
      const counted = await send(added)
      sent.push(added.map(({ key }) => key))
      return counted
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

  test('far from a limit nobody waits for the count, which follows', async () => {
    const { sent, windows, countAllowed } = startProcess()
    await countAllowed('far', 1)
    const ahead = await Promise.all(
      [1, 2].map(() => windows.add({ key: 'far', windowMs: MINUTE_MS, limit: LIMIT })),
    )
    expect(ahead.map(({ current }) => current)).toEqual([2, 3])
    expect(sent).toHaveLength(1)
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    const elsewhere = startProcess().windows.add({ key: 'far', windowMs: MINUTE_MS, limit: LIMIT })
    expect(await elsewhere).toMatchObject({ current: 4 })
  })

  test.each([
    { load: 'to one', of: [600, 0] },
    { load: 'to both', of: [300, 300] },
  ])('where both know of calls, a burst $load passes a twentieth more at the most', async ({ load, of }) => {
    const key = `known ${load}`
    const processes = [startProcess(), startProcess()]
    for (const { countAllowed } of processes) expect(await countAllowed(key, 1)).toBe(1)
    const allowed = await Promise.all(of.map((calls, index) => processes[index]?.countAllowed(key, calls)))
    const all = 2 + allowed.reduce<number>((sum, each = 0) => sum + each, 0)
    expect(all).toBeGreaterThanOrEqual(LIMIT)
    expect(all).toBeLessThanOrEqual(LIMIT + LIMIT / 20)
  })

  test('each limit has windows of its own, which begin anew by the clock of the database', async () => {
    const { createWindows } = startProcess()
    const key = 'ends'
    // A process anew knows of no window.
    const add = () => startProcess().windows.add({ key, windowMs: MINUTE_MS, limit: LIMIT, weight: 2 })
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
    const add = (weight = 1) => windows.add({ key: 'fails', windowMs: MINUTE_MS, limit: LIMIT, weight })
    await add(LIMIT / 2)
    await database.client.pool.query('alter table rate_windows rename to away')
    for (const { status } of await Promise.allSettled([add(), add()])) expect(status).toBe('rejected')
    await database.client.pool.query('alter table away rename to rate_windows')
    expect(await add()).toMatchObject({ current: LIMIT / 2 + 1 })
    await own.close()
  })

  test('once a count has failed, nobody goes ahead of the next', async () => {
    let isAway = false
    const windows = createSharedWindows(async (added) => {
      if (isAway) throw new Error('The database is away')
      return added.map(({ key, weight }) => ({ key, count: weight, ttl: MINUTE_MS }))
    })({ name: 'calls' })
    const add = () => windows.add({ key: 'away', windowMs: MINUTE_MS, limit: LIMIT })
    await add()
    isAway = true
    await add()
    await vi.waitFor(() => expect(add()).rejects.toThrow('The database is away'))
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

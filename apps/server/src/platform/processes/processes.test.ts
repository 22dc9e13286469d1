import { afterEach, describe, expect, test, vi } from 'vitest'
import { createProcessRows } from '../../database/statements/process-rows.ts'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { createLog } from '../log/log.ts'
import { createProcesses, describeShare } from './processes.ts'

describe.each(databaseKinds)('the processes of a database, on %s', (kind) => {
  const database = useTestDatabase(kind)
  const alone = kind === 'embedded'
  const started: ReturnType<typeof createProcesses>[] = []
  afterEach(async () => {
    for (const process of started.splice(0)) await process.stop()
  })

  const create = (role: 'all' | 'web' | 'worker' = 'all') => {
    const { pool } = database.client
    const rows = createProcessRows({ pool, alone })
    const log = createLog({ level: 'silent' })
    const process = createProcesses({ rows, role, version: '9.8.7', poolSize: 10, alone, log })
    started.push(process)
    return process
  }
  const start = async (role?: 'all' | 'web' | 'worker') => {
    const process = create(role)
    await process.start()
    return process
  }
  const age = (seconds: number) =>
    database.client.pool.query(`update processes set beat_at = now() - interval '${seconds} seconds'`)

  test('each tells what it is and what goes on there, and takes that back when it stops', async () => {
    const process = create()
    process.countBy({ runs: () => 3, jobs: () => 2 })
    await process.start()
    const about = { role: 'all', version: '9.8.7', host: expect.any(String), poolSize: 10 }
    expect(await process.list()).toMatchObject([{ ...about, runs: 3, jobs: 2, isLive: true }])
    await process.stop()
    expect(await process.list()).toEqual([])
  })

  test('of the embedded database there is one: what an earlier start left is gone', async () => {
    const first = await start()
    await start()
    expect(await first.list()).toHaveLength(alone ? 1 : 2)
  })

  test('Calls of models, open streams and a token’s calls at once are divided by the live processes, at least one each.', async () => {
    await start('worker')
    await start('worker')
    const first = await start('web')
    const among = alone ? 1 : 3
    expect(first.share(7)).toEqual({ most: Math.floor(7 / among), processes: among })
    expect(first.share(2).most).toBe(alone ? 2 : 1)
    expect(first.share(7, 'serving')).toEqual({ most: 7, processes: 1 })
  })

  test('one that has given no sign for twenty seconds is silent, and forgotten after ten minutes', async () => {
    if (alone) return
    const rows = createProcessRows({ pool: database.client.pool, alone })
    const state = { role: 'all', version: '1', host: 'h', runs: 0, jobs: 0, poolSize: 1 } as const
    await rows.beat({ ...state, id: 'killed' })
    await age(21)
    const process = await start()
    expect(await process.list()).toMatchObject([{ isLive: true }, { id: 'killed', isLive: false }])
    expect(process.share(4).most).toBe(4)
    await age(601)
    await rows.beat({ ...state, id: 'another' })
    const known = (await rows.list()).map(({ id }) => id)
    expect(known).toContain('another')
    expect(known).not.toContain('killed')
    await rows.remove('another')
  })

  test('a sign is given every few seconds; an embedded database is left at rest', async () => {
    const process = await start()
    await age(21)
    const seenAt = async () => {
      const { rows } = await database.client.pool.query(
        `select beat_at > now() - interval '20 seconds' as is_live from processes`,
      )
      return rows
    }
    await vi.waitFor(async () => expect(await seenAt()).toEqual([{ is_live: !alone }]), {
      interval: 200,
    })
    // It knows of itself.
    expect(await process.list()).toMatchObject([{ isLive: true }])
  })
})

test('a share is told where there is more than one', () => {
  expect(describeShare({ most: 20, processes: 1 })).toBe('')
  expect(describeShare({ most: 5, processes: 4 })).toBe(', 5 in each of 4 processes')
})

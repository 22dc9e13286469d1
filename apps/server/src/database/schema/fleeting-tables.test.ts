import { describe, expect, test } from 'vitest'
import { makeQuiet } from '../../keeping/backup/quiet-copy.ts'
import { beginSnapshot, withRows } from '../../keeping/backup/read-rows.ts'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { markMoved } from '../open/move-marks.ts'
import { countLiveProcesses, createProcessRows } from '../statements/process-rows.ts'
import { addToWindows } from '../statements/window-counts.ts'

const STATE = { id: 'a', role: 'all', version: '1', host: 'h', runs: 0, jobs: 0, poolSize: 1 } as const

describe.each(databaseKinds)('what tells of the moment, on %s', (kind) => {
  const database = useTestDatabase(kind)
  const rowsOf = () => createProcessRows({ pool: database.client.pool, alone: kind === 'embedded' })

  test('counts the processes that told of themselves lately, and one before any did', async () => {
    const { pool } = database.client
    expect(await countLiveProcesses(pool)).toBe(1)
    const rows = createProcessRows({ pool, alone: false })
    for (const id of ['a', 'b', 'c']) await rows.beat({ ...STATE, id })
    await pool.query(`update processes set beat_at = now() - interval '21 seconds' where id = 'a'`)
    expect(await countLiveProcesses(pool)).toBe(2)
    await database.reset()
  })

  test('Copies, moves and restores carry no process and no count of a minute; a database that was moved away still takes them.', async () => {
    await rowsOf().beat(STATE)
    const tables = await withRows(database.client, async ({ parts, tables }) => {
      for await (const _part of parts);
      return Object.keys(tables())
    })
    expect(tables).toContain('prompts')
    expect(tables.filter((name) => /processes|rate_windows/.test(name))).toEqual([])
    await database.client.withoutLimit((client) => makeQuiet({ client, resumeWork: false }))
    expect(await rowsOf().list()).toEqual([])
    await database.reset()
  })

  test('is written while rows are moved away, and afterwards, where nothing else is', async () => {
    const { pool, withoutLimit } = database.client
    if (kind === 'server') {
      await withoutLimit(async (client) => {
        await beginSnapshot(client, 'share row exclusive')
        await rowsOf().beat(STATE)
        await client.query('rollback')
      })
    }
    const mark = { id: 'm', to: 'server', at: new Date().toISOString(), isOver: true } as const
    await withoutLimit(async (client) => {
      await client.query('begin')
      await markMoved(client, mark)
      await client.query('commit')
    })
    await expect(pool.query(`insert into categories (name) values ('late')`)).rejects.toThrow('was moved')
    await rowsOf().beat(STATE)
    expect(await rowsOf().list()).toMatchObject([{ id: 'a' }])
    const added = [{ key: 'k', windowMs: 60_000, weight: 1 }]
    expect(await addToWindows(pool)(added)).toMatchObject([{ key: 'k', count: 1 }])
  })
})

import { describe, expect, it } from 'vitest'
import { databaseKinds, useTestDatabase } from '../../testing/database.ts'
import { observeWaits } from './observe-waits.ts'

describe.each(databaseKinds)('waits for a connection on %s', (kind) => {
  const database = useTestDatabase(kind)

  it('are reported for each borrower, once it has a connection', async () => {
    const { pool } = database.client
    const waits: number[] = []
    observeWaits(pool, (seconds) => waits.push(seconds))
    await pool.query('select 1')
    expect(waits).toHaveLength(1)
    const client = await pool.connect()
    expect(waits).toHaveLength(2)
    client.release()
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    const late = pool.query('select 2 as two')
    expect(waits).toHaveLength(2 + held.length)
    for (const each of held) each.release()
    expect((await late).rows).toEqual([{ two: 2 }])
    expect(waits).toHaveLength(3 + held.length)
  })
})

import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { databaseKinds, useTestDatabase } from './database.ts'

describe.each(databaseKinds)('rows of a statement on %s', (kind) => {
  const database = useTestDatabase(kind)
  const read = async (order: ReturnType<typeof sql>) => {
    const { rows } = await database.client.db.execute<{ n: number }>(sql`select n from numbers ${order}`)
    return rows.map(({ n }) => n)
  }

  test('come in another order than they were written, but where it names one', async () => {
    await database.client.db.execute(sql`create table numbers as select generate_series(1, 3) as n`)
    expect(await read(sql``)).toEqual([3, 2, 1])
    expect(await read(sql`order by n`)).toEqual([1, 2, 3])
  })
})

import pg from 'pg'
import { expect, test } from 'vitest'
import { createServerDatabase } from '../../testing/database.ts'
import { UnnamedClient } from './open-server.ts'

test('prepares nothing under a name, and answers as the driver does', async () => {
  const connectionString = await createServerDatabase({ migrated: false })
  const list = { name: 'list', text: 'select $1::int + 1 as next', values: [1] }
  const namesOf = async (client: pg.Client) => {
    await client.connect()
    expect((await client.query(list)).rows).toEqual([{ next: 2 }])
    expect((await client.query({ ...list, values: undefined }, [4])).rows).toEqual([{ next: 5 }])
    const { rows } = await client.query('select name from pg_prepared_statements')
    await expect(client.query({ name: 'wrong', text: 'select nothing' })).rejects.toThrow('nothing')
    await client.end()
    return rows
  }
  expect(await namesOf(new pg.Client({ connectionString }))).toEqual([{ name: 'list' }])
  expect(await namesOf(new UnnamedClient({ connectionString }))).toEqual([])
})

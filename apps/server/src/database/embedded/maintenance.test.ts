import { describe, expect, it } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'
import { maintain } from './maintenance.ts'

describe('the maintenance of the embedded database', () => {
  const database = useTestDatabase('embedded')

  it('vacuums and analyses a table that changed a lot, and no other', async () => {
    const { pool } = database.client
    await pool.query('create table busy as select id, 0 as n from generate_series(1, 1000) id')
    await pool.query('create table quiet as select 1 as id')
    await pool.query('update busy set n = n + 1')
    await pool.query('select pg_stat_force_next_flush()')
    await maintain(database.client)
    const { rows } = await pool.query(
      `select relname, vacuum_count::int, analyze_count::int, n_dead_tup::int from pg_stat_user_tables
       where relname in ('busy', 'quiet') order by relname`,
    )
    expect(rows).toEqual([
      { relname: 'busy', vacuum_count: 1, analyze_count: 1, n_dead_tup: 0 },
      { relname: 'quiet', vacuum_count: 0, analyze_count: 0, n_dead_tup: 0 },
    ])
  })

  it('keeps the write-ahead log from growing without end', async () => {
    const { pool } = database.client
    await pool.query('create table log_filler (text text)')
    const fill = () =>
      pool.query(
        `insert into log_filler select string_agg(md5(random()::text), '') from generate_series(1, 200000) n group by n % 2000`,
      )
    const position = async (): Promise<string> =>
      (await pool.query(`select pg_walfile_name(pg_current_wal_lsn()) as name`)).rows[0].name
    const listSegments = async (): Promise<string[]> =>
      (await pool.query('select name from pg_ls_waldir()')).rows.map(({ name }) => name)
    const start = await position()
    const counts: number[] = []
    for (let round = 0; round < 4; round++) {
      await fill()
      await maintain(database.client)
      counts.push((await listSegments()).length)
    }
    expect(await listSegments()).not.toContain(start)
    // PostgreSQL keeps segments for the most that was written between two checkpoints, by earlier suites too.
    const [first = 0] = counts
    expect(Math.max(...counts)).toBeLessThanOrEqual(first + 2)
  })
})

import type pg from 'pg'

interface WindowAddition {
  key: string
  windowMs: number
  weight: number
}

interface WindowCount {
  key: string
  count: number
  ttl: number
}

/**
 * One row a key, in the order of the keys, so that no two processes wait for each other. A window that ends much later
 * than one that begins now is of a clock that was set back.
 */
const ADD = `
  insert into rate_windows as w (key, ends_at, count)
  select key, now() + window_ms * interval '1 millisecond', weight
  from unnest($1::text[], $2::float8[], $3::bigint[]) as added (key, window_ms, weight) order by key
  on conflict (key) do update set
    count = case when w.ends_at between now() and excluded.ends_at + interval '1 minute'
      then w.count + excluded.count else excluded.count end,
    ends_at = case when w.ends_at between now() and excluded.ends_at + interval '1 minute'
      then w.ends_at else excluded.ends_at end
  returning key, count::float8, (extract(epoch from ends_at - now()) * 1000)::float8 as ttl`

export const addToWindows =
  (pool: pg.Pool) =>
  async (added: WindowAddition[]): Promise<WindowCount[]> => {
    const values = [
      added.map(({ key }) => key),
      added.map(({ windowMs }) => windowMs),
      added.map(({ weight }) => weight),
    ]
    const { rows } = await pool.query<WindowCount>({ name: 'add_to_rate_windows', text: ADD, values })
    return rows
  }

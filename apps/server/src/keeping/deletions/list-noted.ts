import type { Queryable } from '../../database/statements/queryable.ts'
import { type DeletedRecord, parseDeleted } from './deleted-records.ts'

export async function listNoted(pool: Queryable): Promise<DeletedRecord[]> {
  const { rows: found } = await pool.query(`select to_regclass('public.deletions') is not null as is_there`)
  if (found[0].is_there !== true) return []
  const { rows } = await pool.query('select kind, key, deleted_at from public.deletions order by id')
  return rows.flatMap(
    ({ kind, key, deleted_at: at }) => parseDeleted({ kind, key, time: at.toISOString() }) ?? [],
  )
}

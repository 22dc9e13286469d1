import type { DatabaseClient } from '../client.ts'
import { QUIET } from './make-quiet.ts'

/** Whether this is a restored copy that is to do nothing by itself; `resumeWork` ends that, for good. */
export async function isQuietCopy(
  { pool }: Pick<DatabaseClient, 'pool'>,
  { resumeWork }: { resumeWork: boolean },
): Promise<boolean> {
  if (!resumeWork) {
    const { rowCount } = await pool.query('select from settings where key = $1', [QUIET])
    return rowCount === 1
  }
  await pool.query(
    `with ended as (delete from settings where key = $1 returning *)
      insert into audit_events (action, details) select 'instance.work_resumed', '{"by": "start"}' from ended`,
    [QUIET],
  )
  return false
}

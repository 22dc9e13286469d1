import type pg from 'pg'
import type { DatabaseClient } from '../../database/open/client.ts'

export const QUIET = 'quiet'

export interface PendingWork {
  schedules: number
  mails: number
  jobs: number
  runs: number
}

interface QuietOptions {
  client: Pick<pg.ClientBase, 'query'>
  /** Leaves out the row: what was pending goes on with the next start. */
  resumeWork: boolean
}

/**
 * Ends all sessions, lets all tokens expire, and notes that the database is a copy. What was revoked since the copy was
 * made is open again in it, so its owners set a new date. The database has this program's schema.
 */
export async function makeQuiet({ client, resumeWork }: QuietOptions): Promise<PendingWork> {
  const pending = await countPending(client)
  await client.query('delete from sessions')
  // They are of where the copy was made.
  await client.query('delete from processes')
  await client.query(
    'update api_tokens set expires_at = now() where expires_at is null or expires_at > now()',
  )
  if (resumeWork) await client.query('delete from settings where key = $1', [QUIET])
  else {
    const value = { since: new Date().toISOString(), from: 'restore', pending }
    await client.query(
      `insert into settings (key, value) values ($1, $2)
        on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [QUIET, value],
    )
  }
  return pending
}

async function countPending(client: QuietOptions['client']): Promise<PendingWork> {
  const { rows } = await client.query<Record<keyof PendingWork, string>>(`
    select
      (select count(*) from scheduled_runs where active and next_due_at is not null) as schedules,
      (select count(*) from mail_recipients where status = 'pending') as mails,
      (select count(*) from jobs) as jobs,
      (select count(*) from executions where status = 'running') as runs`)
  const [found] = rows
  const { schedules = 0, mails = 0, jobs = 0, runs = 0 } = found ?? {}
  return { schedules: Number(schedules), mails: Number(mails), jobs: Number(jobs), runs: Number(runs) }
}

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
      insert into activity (kind, object_type, door)
        select 'instance.work_resumed', 'instance', 'command line' from ended`,
    [QUIET],
  )
  return false
}

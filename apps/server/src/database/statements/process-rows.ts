import type pg from 'pg'

const LIVE_SECONDS = 20
const KEPT_SECONDS = 600

interface ProcessState {
  id: string
  role: 'all' | 'web' | 'worker'
  version: string
  host: string
  runs: number
  jobs: number
  poolSize: number
}

interface ProcessRow extends ProcessState {
  startedAt: Date
  seenAt: Date
  now: Date
  isLive: boolean
}

interface OtherProcesses {
  all: number
  serving: number
}

const isLive = `beat_at > now() - interval '${LIVE_SECONDS} seconds'`

/** A lost sign costs nothing, so its commit waits for no disk and no standby. */
const BEAT = `
  with quick as materialized (select set_config('synchronous_commit', 'off', true)),
  gone as (
    delete from processes where id in (
      select id from processes where id <> $1 and ($8 or beat_at < now() - interval '${KEPT_SECONDS} seconds')
      for update skip locked)
  ), over as (
    delete from rate_windows where key in (
      select key from rate_windows where ends_at < now() - interval '1 minute' for update skip locked)
  ), mine as (
    insert into processes (id, role, version, host, runs, jobs, pool_size)
    select $1, $2, $3, $4, $5::integer, $6::integer, $7::integer from quick
    on conflict (id) do update set beat_at = now(), runs = excluded.runs, jobs = excluded.jobs
  )
  select count(*)::integer as all, (count(*) filter (where role <> 'worker'))::integer as serving
  from processes where id <> $1 and not $8 and ${isLive}`

const LIST = `
  select id, role, version, host, runs, jobs, pool_size as "poolSize", started_at as "startedAt", beat_at as "seenAt",
    now(), ${isLive} as "isLive"
  from processes order by not ${isLive}, started_at, id`

/** The rows of the processes on a database; `alone`: no other process can be on it. */
export function createProcessRows({ pool, alone }: { pool: pg.Pool; alone: boolean }) {
  return {
    async beat({ id, role, version, host, runs, jobs, poolSize }: ProcessState): Promise<OtherProcesses> {
      const values = [id, role, version, host, runs, jobs, poolSize, alone]
      const { rows } = await pool.query<OtherProcesses>({ name: 'beat', text: BEAT, values })
      return rows[0] ?? { all: 0, serving: 0 }
    },

    async remove(id: string): Promise<void> {
      await pool.query('delete from processes where id = $1', [id])
    },

    async list(): Promise<ProcessRow[]> {
      const { rows } = await pool.query<ProcessRow>(LIST)
      return rows
    },
  }
}

export async function countLiveProcesses(pool: pg.Pool): Promise<number> {
  const { rows: tables } = await pool.query(
    `select has_table_privilege(to_regclass('public.processes'), 'select') as readable`,
  )
  if (tables[0].readable !== true) return 1
  const { rows } = await pool.query(
    `select greatest(count(*), 1)::integer as live from processes where ${isLive}`,
  )
  return rows[0].live
}

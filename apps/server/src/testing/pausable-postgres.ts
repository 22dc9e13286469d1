import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { openDatabase } from '../database/open/client.ts'
import { migrate } from '../database/open/migrate.ts'
import { freePort } from './free-port.ts'
import { createPostgres } from './postgres.ts'

export interface PausablePostgres {
  /** For `DATABASE_URL`: a migrated empty database. */
  url: string
  /** Stops every process of it, as a machine does that is out of memory or being moved. */
  pause(): Promise<void>
  resume(): void
  close(): Promise<void>
}

/** A PostgreSQL of the suite's own, as the run's one must not be stopped for others. */
export async function startPausablePostgres(): Promise<PausablePostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catenary-paused-'))
  // PostgreSQL may run as another user, which needs access to its files.
  await chmod(folder, 0o755)
  const databaseDir = path.join(folder, 'data')
  const port = await freePort()
  const postgres = createPostgres({ databaseDir, port, settings: { fsync: 'off' } })
  await postgres.initialise()
  await postgres.start()
  const url = `postgres://postgres:password@127.0.0.1:${port}/postgres`
  const database = await openDatabase({ databaseUrl: url, dataDir: '', fsync: false })
  await migrate({ database })
  await database.close()
  const stopped = new Set<number>()
  const resume = () => {
    for (const pid of stopped) signal(pid, 'SIGCONT')
    stopped.clear()
  }
  return {
    url,
    pause: async () => {
      const [first = ''] = readFileSync(path.join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')
      const backends = await listBackends(url)
      // The one that starts the others first, so that none is missed.
      for (const pid of [Number(first), ...backends]) if (signal(pid, 'SIGSTOP')) stopped.add(pid)
    },
    resume,
    close: async () => {
      resume()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function listBackends(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  )
  await client.end()
  return rows.map(({ pid }) => pid)
}

/** False where the process has ended. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { createPostgres } from '../../apps/server/src/testing/postgres.ts'

/** A PostgreSQL of its own, as it is shipped: with fsync. */
export async function startPostgres() {
  const root = await mkdtemp(join(tmpdir(), 'catenary-postgres-'))
  // PostgreSQL may run as another user, which needs access to its files.
  await chmod(root, 0o755)
  const databaseDir = join(root, 'data')
  const port = await freePort()
  let postgres = createPostgres({ databaseDir, port })
  await postgres.initialise()
  await postgres.start()
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,

    /** As `pg_ctl restart -m immediate`: every session is cut, the data recovers from its log. */
    async restartImmediately(): Promise<void> {
      const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      while (await accepts(port)) await sleep(20)
      postgres = createPostgres({ databaseDir, port })
      await postgres.start()
    },

    async close(): Promise<void> {
      await postgres.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

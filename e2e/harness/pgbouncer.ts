import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { queryDatabase } from '../../apps/server/src/testing/query-database.ts'
import { installPackages, untilAccepts } from './proxies.ts'

const PGBOUNCER = 'pgbouncer'
const NOBODY = 65_534

type PoolMode = 'session' | 'transaction' | 'statement'

export interface RunningPooler {
  /** The address of the same database, by way of the pooler. */
  url: string
  /** Has the pooler open its connections anew, as an operator would from its console. */
  reconnect(): Promise<void>
  close(): Promise<void>
}

/** Starts a real PgBouncer before every database of the server at this address. Throws where it is missing. */
export async function startPgBouncer(
  databaseUrl: string,
  { mode, poolSize = 40 }: { mode: PoolMode; poolSize?: number },
): Promise<RunningPooler> {
  await installPackages({ [PGBOUNCER]: PGBOUNCER })
  const folder = await mkdtemp(join(tmpdir(), 'catenary-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const { hostname, port: behind, username, password } = new URL(databaseUrl)
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${behind} user=${username} password=${password}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = any\nadmin_users = ${username}`,
    `pool_mode = ${mode}\ndefault_pool_size = ${poolSize}\nmax_client_conn = 500`,
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, lines.join('\n'))
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn(PGBOUNCER, ['-q', file], { ...user, env, stdio: 'ignore' })
  const close = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  await untilAccepts(port).catch(async (error) => {
    await close()
    throw error
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  const console = new URL(url)
  console.pathname = '/pgbouncer'
  const reconnect = async () => void (await queryDatabase(console.href, 'RECONNECT'))
  return { url: url.href, reconnect, close }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

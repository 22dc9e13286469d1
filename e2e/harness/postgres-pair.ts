import { execFile } from 'node:child_process'
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connectTo, type TestConnection } from '../../apps/server/src/testing/connect.ts'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { createPostgres } from '../../apps/server/src/testing/postgres.ts'

const run = promisify(execFile)
const PATIENCE_MS = 60_000
const SETTINGS = { wal_keep_size: '256MB', max_connections: '200', max_wal_senders: '5' }
const PASSWORD = 'password'

interface Machine {
  folder: string
  port: number
  /** Where it says whether it is the primary, as Patroni's REST interface does. */
  checkPort: number
  check: Server
}

/** A PostgreSQL with a synchronous standby, each at an address of this machine. */
export interface PostgresPair {
  /** For HAProxy. */
  servers: { host?: string; port: number; checkPort: number }[]
  /** Leads to the one that is the primary now, as its superuser. */
  connect(): Promise<TestConnection>
  /** Kills the primary and promotes the standby; resolves once that takes writes. */
  failOver(): Promise<void>
  /** Makes a standby of the one that was killed, and waits until commits wait for it. */
  repair(): Promise<void>
  close(): Promise<void>
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const root = await mkdtemp(join(tmpdir(), 'catenary-pair-'))
  // PostgreSQL may run as another user, which needs access to its files.
  await chmod(root, 0o755)
  let [primary, standby] = [await makeMachine(join(root, 'one')), await makeMachine(join(root, 'two'))]
  const postgres = createPostgres({ databaseDir: primary.folder, port: primary.port, settings: SETTINGS })
  await postgres.initialise()
  await postgres.start()
  const pair: PostgresPair = {
    servers: [primary, standby].map(({ port, checkPort }) => ({ port, checkPort })),
    connect: () => connect(primary.port),
    failOver: async () => {
      await kill(primary)
      const client = await connect(standby.port)
      await client.query('select pg_promote(true, 60)')
      await client.end()
      ;[primary, standby] = [standby, primary]
    },
    repair: () => addStandby({ primary, standby }),
    close: async () => {
      for (const machine of [primary, standby]) {
        await kill(machine)
        machine.check.close()
      }
      await rm(root, { recursive: true, force: true })
    },
  }
  try {
    await pair.repair()
    return pair
  } catch (error) {
    await pair.close()
    throw error
  }
}

async function makeMachine(folder: string): Promise<Machine> {
  const [port, checkPort] = [await freePort(), await freePort()]
  const check = createServer(async (request, response) => {
    const isPrimary = await isWriting(hereAt(port))
    response.writeHead(request.url === '/primary' && isPrimary ? 200 : 503).end()
  })
  await new Promise<void>((resolve) => check.listen(checkPort, '127.0.0.1', resolve))
  return { folder, port, checkPort, check }
}

const hereAt = (port: number): Address => ({ host: '127.0.0.1', port })
const connect = (port: number): Promise<TestConnection> => connectAt(hereAt(port))

interface Address {
  host: string
  port: number
}

/** As its superuser. */
export const connectAt = ({ host, port }: Address): Promise<TestConnection> =>
  connectTo(`postgres://postgres:${PASSWORD}@${host}:${port}/postgres`, { timeoutMs: 2_000 })

/** Whether a server is there and takes writes. */
export async function isWriting(address: Address): Promise<boolean> {
  try {
    const client = await connectAt(address)
    const { rows } = await client.query('select not pg_is_in_recovery() as writes')
    await client.end()
    return rows[0].writes
  } catch {
    return false
  }
}

/** Its children end by themselves once it is gone. */
export async function killPostgres(folder: string, address: Address): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  if (!pid) return
  try {
    process.kill(Number(pid), 'SIGKILL')
  } catch {
    return
  }
  await until(
    async () =>
      !(await connectAt(address).then(
        (client) => client.end().then(() => true),
        () => false,
      )),
  )
}

const kill = ({ folder, port }: Machine): Promise<void> => killPostgres(folder, hereAt(port))

/** Copies the primary while it runs, as pg_basebackup does, which not every PostgreSQL for tests ships. */
async function addStandby({ primary, standby }: { primary: Machine; standby: Machine }): Promise<void> {
  const client = await connect(primary.port)
  await client.query("alter system set synchronous_standby_names = ''")
  await client.query("select pg_backup_start('standby', true)")
  await rm(standby.folder, { recursive: true, force: true })
  await mkdir(standby.folder, { mode: 0o700 })
  // Files that vanish meanwhile are none that a standby needs.
  await run('cp', ['-a', `${primary.folder}/.`, standby.folder]).catch(() => {})
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  for (const name of await readdir(join(standby.folder, 'pg_wal'), { withFileTypes: true }))
    if (name.isFile()) await rm(join(standby.folder, 'pg_wal', name.name))
  for (const name of ['postmaster.pid', 'postmaster.opts'])
    await rm(join(standby.folder, name), { force: true })
  const way = `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD} application_name=standby`
  await appendFile(
    join(standby.folder, 'postgresql.auto.conf'),
    `primary_conninfo = '${way}'\nsynchronous_standby_names = ''\n`,
  )
  await writeFile(join(standby.folder, 'backup_label'), rows[0].labelfile)
  await writeFile(join(standby.folder, 'standby.signal'), '')
  const { uid, gid } = await stat(primary.folder)
  for (const name of ['.', 'backup_label', 'standby.signal'])
    await chown(join(standby.folder, name), uid, gid)

  const { folder: databaseDir, port } = standby
  const postgres = createPostgres({ databaseDir, port, settings: SETTINGS })
  // It waits for words that a standby says only once it is promoted.
  postgres.start().catch(() => {})
  await until(
    async () =>
      await connect(port).then(
        (one) => one.end().then(() => true),
        () => false,
      ),
  )
  await client.query("alter system set synchronous_standby_names = '*'")
  await client.query('select pg_reload_conf()')
  const inSync = `select from pg_stat_replication where application_name = 'standby' and sync_state = 'sync'`
  await until(async () => (await client.query(inSync)).rowCount === 1)
  await client.end()
}

export async function until(isSo: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('PostgreSQL did not get there in time')
    await sleep(20)
  }
}

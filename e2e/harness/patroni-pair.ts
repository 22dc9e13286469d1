import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readScaleFile } from './haproxy.ts'
import { connectAt, isWriting, killPostgres, type PostgresPair, until } from './postgres-pair.ts'

const NEEDED =
  'This test needs patroni, etcd and PostgreSQL 15: Debian’s packages patroni, etcd-server and postgresql-15.'
/** Each of these is a machine of its own in the files, and an address of this machine here. */
const [WRITTEN, HERE] = ['10.0.0.', '127.0.0.']
const ETCD = ['21', '22', '11'].map((last) => `${HERE}${last}`)
/** A primary that is gone is noticed within 15 s; one that comes back is rewound first. */
const PATIENCE_MS = 120_000

interface Machine {
  host: string
  port: number
  folder: string
  patroni: ChildProcess | undefined
}

/**
 * A PostgreSQL with a synchronous standby that Patroni looks after, by the shipped file: a primary that is killed with
 * its Patroni is replaced by itself.
 */
export async function startPatroniPair(): Promise<PostgresPair> {
  const root = await mkdtemp(join(tmpdir(), 'catenary-patroni-'))
  // PostgreSQL refuses to run as root, and another user needs access to its files.
  await chmod(root, 0o777)
  const etcd = startEtcd(root)
  const machines = [await prepareMachine(root, 'one', '21'), await prepareMachine(root, 'two', '22')]
  const close = async () => {
    for (const machine of machines) await kill(machine)
    for (const member of etcd) await end(member)
    await rm(root, { recursive: true, force: true })
  }
  let primary = machines[0] as Machine

  async function findPrimary(): Promise<Machine | undefined> {
    for (const machine of machines) if (await isWriting(machine)) return machine
    return undefined
  }
  const untilPrimary = () =>
    until(async () => {
      const found = await findPrimary()
      if (found === undefined) return false
      primary = found
      return true
    }, PATIENCE_MS)
  // Patroni promotes what it has written down as such, a round of its loop after PostgreSQL says so.
  const untilInSync = () =>
    until(async () => {
      const standby = machines.find((machine) => machine !== primary)
      const reply = await fetch(`http://${standby?.host}:8008/synchronous`).catch(() => undefined)
      return reply?.status === 200
    }, PATIENCE_MS)

  try {
    for (const machine of machines) startPatroni(machine)
    await untilPrimary()
    await untilInSync()
  } catch (error) {
    const said = await Promise.all(machines.map(({ folder }) => readFile(join(folder, 'log'), 'utf8')))
    await close()
    throw new Error(`Patroni did not get there: ${said.join('\n')}`, { cause: error })
  }
  return {
    servers: machines.map(({ host, port }) => ({ host, port, checkPort: 8008 })),
    connect: () => connectAt(primary),
    failOver: async () => {
      await kill(primary)
      await untilPrimary()
    },
    repair: async () => {
      for (const machine of machines) if (machine.patroni === undefined) startPatroni(machine)
      await untilInSync()
    },
    close,
  }
}

function startEtcd(root: string): ChildProcess[] {
  const nameOf = (host: string) => `etcd-${host}`
  const cluster = ETCD.map((host) => `${nameOf(host)}=http://${host}:2380`).join(',')
  return ETCD.map((host) => {
    const [clients, peers] = [`http://${host}:2379`, `http://${host}:2380`]
    const options = {
      ...{ name: nameOf(host), 'data-dir': join(root, nameOf(host)), 'initial-cluster': cluster },
      ...{ 'listen-client-urls': clients, 'advertise-client-urls': clients },
      ...{ 'listen-peer-urls': peers, 'initial-advertise-peer-urls': peers },
    }
    const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
    return launch('etcd', args)
  })
}

/** The shipped file, with what the second machine has of its own and where this one has other places. */
async function prepareMachine(root: string, name: string, last: string): Promise<Machine> {
  const folder = join(root, name)
  await mkdir(folder)
  await chmod(folder, 0o777)
  const host = `${HERE}${last}`
  const text = (await readScaleFile('patroni.yml'))
    .replace(/^name: .*$/m, `name: ${name}`)
    .replaceAll(/^( +(?:listen|connect_address): )\S+(:\d+)$/gm, `$1${host}$2`)
    .replace(
      /^ +data_dir: .*$/m,
      `  data_dir: ${join(folder, 'data')}\n  parameters:\n    unix_socket_directories: ${folder}`,
    )
    .replaceAll(WRITTEN, HERE)
    .replaceAll('CHANGE-ME', 'password')
  await writeFile(join(folder, 'config.yml'), text)
  return { host, port: 5432, folder, patroni: undefined }
}

function startPatroni(machine: Machine): void {
  const { folder } = machine
  const config = join(folder, 'config.yml')
  const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups', 'patroni', config]
  const options = { env: { ...process.env, HOME: folder }, output: join(folder, 'log') }
  machine.patroni =
    process.getuid?.() === 0 ? launch('setpriv', asPostgres, options) : launch('patroni', [config], options)
}

/** As if the machine were gone: Patroni first, which would start PostgreSQL again. */
async function kill(machine: Machine): Promise<void> {
  if (machine.patroni !== undefined) await end(machine.patroni)
  machine.patroni = undefined
  await killPostgres(join(machine.folder, 'data'), machine)
}

interface LaunchOptions {
  env?: NodeJS.ProcessEnv
  /** A file to which its output is appended. */
  output?: string
}

function launch(program: string, args: string[], { env, output = '/dev/null' }: LaunchOptions = {}) {
  const file = openSync(output, 'a')
  const child = spawn(program, args, { env, stdio: ['ignore', file, file] })
  closeSync(file)
  child.on('error', () => {})
  if (child.pid === undefined) throw new Error(NEEDED)
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { untilAccepts } from './proxies.ts'

const shipped = join(import.meta.dirname, '../../deploy/scale')
const HAPROXY = 'haproxy'
const HAPROXY_NEEDED = 'This test needs haproxy: apt-get install haproxy brings it.'

export const readScaleFile = (name: string) => readFile(join(shipped, name), 'utf8')

/** Runs HAProxy with its arguments until it ends; its exit code and what it wrote. */
export async function runHaproxy(args: string[]): Promise<{ code: number | null; said: string }> {
  const { child, said } = launch(args)
  const [code] = (await Promise.race([once(child, 'close'), failed(child)])) as [number | null]
  return { code, said: said() }
}

export interface RunningHaproxy {
  port: number
  close(): Promise<void>
}

interface Served {
  /** Of `deploy/scale`. */
  file: 'haproxy-programs.cfg' | 'haproxy-postgresql.cfg'
  /** In place of the servers that the file names. */
  servers: { host?: string; port: number; checkPort?: number }[]
}

/** Starts the shipped file at a free port, before these servers of this machine. */
export async function startHaproxy({ file, servers }: Served): Promise<RunningHaproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-haproxy-'))
  const port = await freePort()
  const config = join(folder, 'haproxy.cfg')
  await writeFile(config, adapt({ text: await readScaleFile(file), port, servers }))
  const { child, said } = launch(['-db', '-f', config])
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(said())))
    await Promise.race([untilAccepts(port), failed(child), ended])
  } catch (error) {
    await close()
    throw error
  }
  return { port, close }
}

/** Without TLS, and with as many servers as are given: the first names the form of the others. */
function adapt({ text, port, servers }: Pick<Served, 'servers'> & { text: string; port: number }): string {
  const seen = { server: 0, backup: 0 }
  return text
    .split('\n')
    .flatMap((line) => {
      if (/^ +(bind :80$|http-request (redirect|set-header X-Forwarded-Proto))/.test(line)) return []
      if (/^ +bind /.test(line)) return [`    bind 127.0.0.1:${port}`]
      const [, name, rest = ''] = /^ +server (\S+) \S+(.*)$/.exec(line) ?? []
      if (name === undefined) return [line]
      const kind = rest.includes('backup') ? 'backup' : 'server'
      seen[kind] += 1
      if (seen[kind] > 1) return []
      return servers.map(({ host = '127.0.0.1', port: behind, checkPort = behind }, index) => {
        const own = rest.replace(/ port \d+/, ` port ${checkPort}`)
        return `    server ${kind}-${index} ${host}:${behind}${own}`
      })
    })
    .join('\n')
}

function launch(args: string[]) {
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn(HAPROXY, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  return { child, said: () => output }
}

/** Rejects where there is no such program. */
async function failed(child: ReturnType<typeof launch>['child']): Promise<never> {
  const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException]
  throw error.code === 'ENOENT' ? new Error(HAPROXY_NEEDED, { cause: error }) : error
}

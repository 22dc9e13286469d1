import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { untilAccepts } from './proxies.ts'

const PROGRAM = 'redis-server'
const NEEDED = `This test needs ${PROGRAM}: Debian’s package ${PROGRAM} brings it.`

export interface RunningRedis {
  /** For BUS_URL, with the password. */
  url: string
  port: number
  password: string
  kill(): Promise<void>
  /** Stops it without ending a connection, until `resume`. */
  pause(): void
  resume(): void
  restart(): Promise<void>
  close(): Promise<void>
}

/** A Redis of its own that wants a password and keeps nothing. */
export async function startRedis(): Promise<RunningRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-redis-'))
  const port = await freePort()
  const password = 'canary-of-the-bus'
  let child: ChildProcess | undefined

  const start = async () => {
    const options = { bind: '127.0.0.1', port: String(port), dir: folder, save: '', requirepass: password }
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const started = spawn(PROGRAM, args, { stdio: 'ignore' })
    const failed = once(started, 'error').then(([error]) => {
      throw (error as { code?: string }).code === 'ENOENT' ? new Error(NEEDED) : error
    })
    await Promise.race([once(started, 'spawn'), failed])
    child = started
    await untilAccepts(port)
  }
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  await start()
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    port,
    password,
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    restart: async () => {
      await kill()
      await start()
    },
    close: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

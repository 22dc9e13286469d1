import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { TEST_CERTIFICATE } from '../../apps/server/src/testing/test-certificate.ts'
import { untilAccepts } from './proxies.ts'

const PROGRAM = 'redis-server'
const NEEDED = `This test needs ${PROGRAM}: Debian’s package ${PROGRAM} brings it.`

export interface RunningRedis {
  /** For BUS_URL, with the password. */
  url: string
  /** The same by TLS, and who signed its certificate: a file for NODE_EXTRA_CA_CERTS. */
  secureUrl: string
  authority: string
  password: string
  /** Has it do what one would type into its client. */
  type(command: string): Promise<void>
  kill(): Promise<void>
  /** Stops it without an end of its connections, until `resume`. */
  pause(): void
  resume(): void
  restart(): Promise<void>
  close(): Promise<void>
}

/** A Redis of its own that wants a password and keeps nothing. */
export async function startRedis(): Promise<RunningRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-redis-'))
  const [port, securePort] = [await freePort(), await freePort()]
  const password = 'canary-of-the-bus'
  const [authority, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  await writeFile(authority, TEST_CERTIFICATE.cert)
  await writeFile(keyFile, TEST_CERTIFICATE.key)
  const options = {
    ...{ bind: '127.0.0.1', port: String(port), dir: folder, save: '', requirepass: password },
    ...{ 'tls-port': String(securePort), 'tls-auth-clients': 'no' },
    ...{ 'tls-cert-file': authority, 'tls-key-file': keyFile, 'tls-ca-cert-file': authority },
  }
  let child: ChildProcess | undefined

  const start = async () => {
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    const started = spawn(PROGRAM, args, { stdio: 'ignore' })
    const failed = once(started, 'error').then(([error]) => {
      throw (error as { code?: string }).code === 'ENOENT' ? new Error(NEEDED) : error
    })
    await Promise.race([once(started, 'spawn'), failed])
    child = started
    // The test runner ends its worker with SIGTERM, which raises no 'exit' by itself.
    const endWithUs = () => started.kill('SIGKILL')
    process.once('exit', endWithUs).once('SIGTERM', exit)
    started.once('exit', () => process.off('exit', endWithUs).off('SIGTERM', exit))
    await Promise.all([untilAccepts(port), untilAccepts(securePort)])
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
    secureUrl: `rediss://:${password}@localhost:${securePort}`,
    authority,
    password,
    type: (command) => type(port, [`AUTH ${password}`, command]),
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

function exit(): void {
  process.exit(143)
}

/** Throws where it does not answer each with OK. */
async function type(port: number, commands: string[]): Promise<void> {
  const socket = createConnection({ port, host: '127.0.0.1' }).setEncoding('utf8')
  try {
    for (const command of commands) {
      socket.write(`${command}\r\n`)
      const [answer] = await once(socket, 'data')
      if (answer !== '+OK\r\n') throw new Error(`${PROGRAM} answers ${answer}`)
    }
  } finally {
    socket.destroy()
  }
}

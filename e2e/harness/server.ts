import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { compileCache, programEnv } from '../../scripts/lib/toolchain.mjs'

/** The file that starts this checkout's program, and its commands. */
export const main = join(import.meta.dirname, '../../apps/server/src/main.ts')
/** The variables by which a run of journeys uses another program than this checkout's, and another Node than its own. */
export const OTHER_PROGRAM = { file: 'CATENARY_PROGRAM', node: 'CATENARY_PROGRAM_NODE' }
const startTimeoutMs = 120_000
const stopTimeoutMs = 15_000
const pollMs = 25

/** The variable that says where an empty database is, for servers to begin with. */
export const DATA_TEMPLATE = 'CATENARY_DATA_TEMPLATE'

/** No person changes this much in a minute. */
const AS_FAST_AS_A_TEST = '{"writes": 1000000, "reads": 1000000}'

export interface ServerOptions {
  /** Settings beside PORT and DATA_DIR; nothing else of the caller's environment but PATH and HOME is passed on. */
  env?: Record<string, string>
  /** A directory to go on with; by default a new one, removed by `dispose`. */
  dataDir?: string
  /** Default: a free one. */
  port?: number
  /** The file that starts it; by default this checkout's. */
  program?: string
  /** The Node that runs it; by default the tests' own. */
  node?: string
  /** What it is started with, such as `start` and an option. */
  args?: string[]
  /** Whether it has to make its database, as for a newcomer; by default it finds an empty one. */
  isFirstStart?: boolean
}

export interface RunningServer {
  url: string
  port: number
  dataDir: string
  /** The id of the current process. */
  pid(): number
  /** Everything that the program printed, over all its starts. */
  logs(): string
  /** Asks the program to stop, as a person would with Ctrl-C, and gives its exit code. */
  stop(): Promise<number | null>
  /** Ends the program as `kill -9` does. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. */
  restart(): Promise<void>
  /** Ends it, if it still runs, and removes the data directory that was made for it. */
  dispose(): Promise<void>
}

/** Starts the real program as a child on a free port and waits until it is ready. */
export async function startServer({
  env = {},
  dataDir,
  ...options
}: ServerOptions = {}): Promise<RunningServer> {
  const directory = dataDir ?? (await makeDataDirectory(options))
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  let output = ''
  let child: ChildProcess | undefined

  const start = async () => {
    const settings = { PORT: String(port), DATA_DIR: directory, QUOTAS: AS_FAST_AS_A_TEST, ...env }
    child = launchProgram({ ...options, env: settings, cwd: directory })
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await waitUntilReady({ url, child, logs: () => output })
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = child
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return null
    const exited = once(ending, 'exit')
    ending.kill(signal)
    const force = setTimeout(() => ending.kill('SIGKILL'), stopTimeoutMs)
    await exited
    clearTimeout(force)
    return ending.exitCode
  }
  const dispose = async () => {
    await end('SIGKILL')
    if (dataDir === undefined) await rm(directory, { recursive: true, force: true })
  }

  try {
    await start()
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    url,
    port,
    dataDir: directory,
    pid: () => child?.pid ?? 0,
    logs: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
    restart: async () => {
      await end('SIGTERM')
      await start()
    },
    dispose,
  }
}

async function makeDataDirectory({ isFirstStart }: ServerOptions): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'catenary-e2e-'))
  const template = process.env[DATA_TEMPLATE]
  if (template !== undefined && !isFirstStart) await cp(template, directory, { recursive: true })
  return directory
}

interface Launch {
  env: Record<string, string>
  cwd: string
  args?: string[]
  program?: string
  node?: string
}

/** Starts the program without waiting for anything, for tests of starts that must fail. */
export function launchProgram({
  env,
  cwd,
  args = [],
  program = process.env[OTHER_PROGRAM.file] ?? main,
  node = process.env[OTHER_PROGRAM.node] ?? process.execPath,
}: Launch): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(node, [program, ...args], {
    cwd,
    env: { PATH, HOME, ...(program === main ? programEnv : { NODE_COMPILE_CACHE: compileCache }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A failed test may leave it running; the test runner ends its worker with SIGTERM, which raises no 'exit' by itself.
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs).once('SIGTERM', exit)
  child.once('exit', () => process.off('exit', endWithUs).off('SIGTERM', exit))
  return child
}

function exit(): void {
  process.exit(143)
}

async function waitUntilReady(wait: { url: string; child: ChildProcess; logs: () => string }) {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    if (wait.child.exitCode !== null || wait.child.signalCode !== null) {
      throw new Error(`The program ended before it was ready (${wait.child.exitCode}).\n${wait.logs()}`)
    }
    const ready = await fetch(`${wait.url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
    if (ready) return
    await sleep(pollMs)
  }
  throw new Error(`The program was not ready within ${startTimeoutMs / 1000} s.\n${wait.logs()}`)
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { main } from './server.ts'

export interface CommandOptions {
  dataDir: string
  env?: Record<string, string>
  /** What is piped in. */
  input?: string
  /** Rights of files hold, for root too. */
  asAnyone?: boolean
}

/** Part of util-linux. */
const WITHOUT_POWERS = ['setpriv', '--inh-caps=-all', '--bounding-set=-all']

/** Runs a command of the program to its end, in the data directory. */
export async function runCommand(args: string[], { input = '', ...options }: CommandOptions) {
  const child = spawnCommand(args, options)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, out, err }
}

/** Begins a command that is to be killed. */
export function launchCommand(args: string[], options: CommandOptions) {
  const child = spawnCommand(args, options)
  const closed = once(child, 'close')
  return {
    /** Resolves with its end. */
    ended: closed,
    /** As `kill -9` does; nothing where it has ended. */
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

function spawnCommand(args: string[], { dataDir, env = {}, asAnyone = false }: CommandOptions) {
  const { PATH = '', HOME = '' } = process.env
  const drop = asAnyone && process.getuid?.() === 0 ? WITHOUT_POWERS : []
  const [program = '', ...rest] = [...drop, process.execPath, main, ...args]
  return spawn(program, rest, { cwd: dataDir, env: { PATH, HOME, DATA_DIR: dataDir, ...env } })
}

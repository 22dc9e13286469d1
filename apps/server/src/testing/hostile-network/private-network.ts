import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SET_UP = fileURLToPath(new URL('private-network.pl', import.meta.url))
/** As root, or as a user who may become root in a user namespace. */
const WAYS_IN = [['--net'], ['--map-root-user', '--net']]
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** Runs a program of ours where every address there is leads to itself; gives the JSON that it prints. */
export async function runInPrivateNetwork(program: URL, args: string[] = []): Promise<unknown> {
  const wayIn = await findWayIn()
  const command = [...wayIn, 'perl', SET_UP, process.execPath, fileURLToPath(program), ...args]
  const { stdout } = await run('unshare', command, { maxBuffer: MAX_OUTPUT_BYTES })
  return JSON.parse(stdout)
}

async function findWayIn(): Promise<string[]> {
  const reasons: unknown[] = []
  for (const way of WAYS_IN) {
    try {
      await run('unshare', [...way, 'perl', SET_UP, 'true'])
      return way
    } catch (error) {
      reasons.push(error)
    }
  }
  const message =
    'No private network can be made here: this needs Linux with unshare, perl and the right to use them'
  throw new AggregateError(reasons, `${message} (${reasons.join('; ')})`)
}

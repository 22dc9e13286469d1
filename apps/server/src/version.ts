import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface Version {
  version: string
  /** The short commit of the source; null if unknown. */
  commit: string | null
}

/** What `npm run pack` lays beside the program. */
const PACKED = path.join(import.meta.dirname, 'version.json')
const CLONE = path.join(import.meta.dirname, '../../..')

let known: Version | undefined

/** Which Catenary this is: as it was packed, or as the clone was when the program first asked. */
export function readVersion(): Version {
  known ??= findVersion()
  return known
}

/** Whether this is the packed command, not a clone. */
export const isPacked = (): boolean => existsSync(PACKED)

function findVersion(): Version {
  if (isPacked()) return JSON.parse(readFileSync(PACKED, 'utf8'))
  const { version } = JSON.parse(readFileSync(path.join(CLONE, 'package.json'), 'utf8'))
  return { version, commit: commitOfClone() }
}

export const describeVersion = ({ version, commit }: Version) =>
  commit === null ? version : `${version} (${commit})`

function commitOfClone(): string | null {
  try {
    const args = ['-C', CLONE, 'rev-parse', '--short', 'HEAD']
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // A copy without its history, or a machine without git.
    return null
  }
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../errors.ts'

const SQLITE_BUSY = 5

/** An unreferenced lock would be garbage-collected, and so released. */
const held = new Set<DatabaseSync>()

export class DirectoryInUseError extends StartError {
  constructor({ dataDir, owner }: { dataDir: string; owner: string }) {
    super(
      `The data directory ${dataDir} is already in use by ${owner}. ` +
        'Stop that process, or set DATA_DIR to another directory, ' +
        'or set DATABASE_URL to share one PostgreSQL between processes.',
    )
  }
}

/**
 * Takes the data directory (created, mode 700) for this process until `release`, or throws `DirectoryInUseError`.
 * The lock is the operating system's and ends with the process, so there are no stale locks.
 */
export function lockDirectory(dataDir: string): { release: () => void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const ownerFile = path.join(dataDir, 'lock-owner')
  const lock = new DatabaseSync(path.join(dataDir, 'lock'), { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    if (isBusy(error)) throw new DirectoryInUseError({ dataDir, owner: readOwner(ownerFile) })
    throw error
  }
  held.add(lock)
  writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 })
  return {
    release: () => {
      rmSync(ownerFile, { force: true })
      lock.close()
      held.delete(lock)
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function readOwner(ownerFile: string): string {
  try {
    return `process ${readFileSync(ownerFile, 'utf8').trim()}`
  } catch {
    return 'another process'
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { lockDirectory } from '../../database/embedded/directory-lock.ts'
import { fsyncDirectory, fsyncTree } from '../../database/embedded/fsync.ts'
import { DATABASE_DIRECTORY } from '../../database/open/client.ts'
import { BackupFileError } from './backup-format.ts'

const RESTORING = 'restoring'

/**
 * Gives `dataDir` the embedded database that `make` puts into another directory: it is renamed, which is the one
 * moment at which it comes to be. Whatever fails, or cuts it short, leaves no database; the next try removes what
 * this one left. Throws StartError where the directory is in use, BackupFileError where it has a database.
 */
export async function restoreAside<T>(dataDir: string, make: (aside: string) => Promise<T>): Promise<T> {
  const lock = lockDirectory(dataDir)
  const aside = path.join(dataDir, RESTORING)
  try {
    const target = path.join(dataDir, DATABASE_DIRECTORY)
    requireEmpty(target)
    await rm(aside, { recursive: true, force: true })
    const made = await make(aside)
    const whole = path.join(aside, DATABASE_DIRECTORY)
    fsyncTree(whole)
    await rm(target, { recursive: true, force: true })
    await rename(whole, target)
    fsyncDirectory(dataDir)
    return made
  } finally {
    await rm(aside, { recursive: true, force: true })
    lock.release()
  }
}

function requireEmpty(target: string): void {
  if (!existsSync(target) || readdirSync(target).length === 0) return
  throw new BackupFileError(
    `There is already a database in ${target}. Move it away first, or set DATA_DIR to another directory.`,
  )
}

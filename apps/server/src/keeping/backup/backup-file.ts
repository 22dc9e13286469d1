import { existsSync, statfsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { FULL_BELOW_BYTES } from '../../database/embedded/disk-space.ts'
import { fsyncDirectory } from '../../database/embedded/fsync.ts'
import { explainPlace } from '../../platform/place-failure.ts'
import { BackupFileError } from './backup-format.ts'
import { checkWhole } from './read-backup.ts'

const UNFINISHED = '.new'

/** Throws BackupFileError for a file that exists, or a disk without room for `bytes` and what the program itself needs. */
export function checkTarget({ file, bytes }: { file: string; bytes: number }): void {
  if (existsSync(file))
    throw new BackupFileError(`${file} already exists. Choose another file name, or move it away.`)
  const directory = path.dirname(path.resolve(file))
  if (!existsSync(directory))
    throw new BackupFileError(`The directory ${directory} doesn’t exist. Create it first.`)
  const { bavail, bsize } = statfsSync(directory)
  const free = bavail * bsize
  if (free >= bytes + FULL_BELOW_BYTES) return
  throw new BackupFileError(
    `A copy may take ${megabytes(bytes)}, and ${megabytes(FULL_BELOW_BYTES)} must stay free for the program. Only ${megabytes(free)} are free in ${directory}: free up space, or choose a file on another disk.`,
  )
}

const MEGABYTE = 1_000_000

const KILOBYTE = 1_000

export function megabytes(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.ceil(bytes / KILOBYTE).toLocaleString('en')} kB`
  return `${(bytes / MEGABYTE).toLocaleString('en', { maximumFractionDigits: bytes < 10 * MEGABYTE ? 1 : 0 })} MB`
}

/**
 * Writes a backup to `file`, for its owner alone: under another name until all of it is on the disk and its checksum
 * fits. Returns its size in bytes. Whatever fails, or cuts it short, leaves no such file.
 */
export async function writeBackupFile({ file, bytes }: { file: string; bytes: Readable }): Promise<number> {
  const unfinished = `${file}${UNFINISHED}`
  await rm(unfinished, { force: true })
  const handle = await open(unfinished, 'wx', 0o600).catch((error: unknown) => {
    throw explainPlace(path.dirname(path.resolve(file)), error)
  })
  try {
    await handle.writeFile(bytes)
    await handle.sync()
    const size = await checkWhole(unfinished)
    const [own, named] = await Promise.all([handle.stat(), stat(unfinished)])
    if (own.ino !== named.ino)
      throw new BackupFileError(`Another backup to ${file} has started in the meantime.`)
    await rename(unfinished, file)
    fsyncDirectory(path.dirname(path.resolve(file)))
    return size
  } catch (error) {
    await rm(unfinished, { force: true })
    if (!isOfRoom(error)) throw error
    throw new BackupFileError(
      `There was not enough space for ${file}. Free up space, or choose a file on another disk.`,
    )
  } finally {
    await handle.close()
  }
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

const isOfRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NO_ROOM.has(String(error.code))

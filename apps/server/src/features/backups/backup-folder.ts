import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { BackupReason, BackupsState } from '@catenary/contracts'

/** What a copy's file is called: never a path, nor what is still being written. */
const COPY_NAME = /^[\w-][\w.-]*\.catenary$/

/** What a copy that was cut short left. */
const UNFINISHED = /^catenary-\d{4}-[\w-]+\.catenary\.new$/

/** Such as catenary-2026-11-24T030000Z-daily.catenary: by name they are in the order of time. */
export function copyName({ takenAt, reason }: { takenAt: Date; reason: BackupReason }): string {
  const time = takenAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return `catenary-${time}-${reason.replaceAll(' ', '-')}.catenary`
}

/** The copies that are there, and their sizes in bytes. Throws where the folder can't be read. */
export function listCopies(directory: string): Map<string, number> {
  if (!existsSync(directory)) return new Map()
  const names = readdirSync(directory).filter((name) => COPY_NAME.test(name))
  const sizes = names.map((name): [string, number | undefined] => [name, sizeOf(path.join(directory, name))])
  return new Map(sizes.filter((entry): entry is [string, number] => entry[1] !== undefined))
}

function sizeOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : undefined
}

/** For its owner alone, and without what copies that were cut short left: no other is being made. */
export function makeFolder(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(directory)) {
    if (UNFINISHED.test(name)) rmSync(path.join(directory, name), { force: true })
  }
}

export function removeCopy(directory: string, name: string): void {
  if (!COPY_NAME.test(name)) throw new Error('This is not the name of a copy')
  rmSync(path.join(directory, name), { force: true })
}

/** What people are told of the folder; `database`: where the embedded one is. */
export function describeFolder(
  directory: string,
  { database }: { database: string | null },
): NonNullable<BackupsState['place']> {
  try {
    listCopies(directory)
    const present = firstThere(directory)
    const { bavail, bsize } = statfsSync(present)
    const isOtherDisk = database === null || statSync(present).dev !== statSync(database).dev
    return { directory, freeBytes: bavail * bsize, isOtherDisk, problem: null }
  } catch (error) {
    return { directory, freeBytes: null, isOtherDisk: false, problem: describe(error) }
  }
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The directory, or the first above it that exists. */
function firstThere(directory: string): string {
  return existsSync(directory) ? directory : firstThere(path.dirname(directory))
}

import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { SchemaNumber } from '../../database/open/schema-number.ts'
import type { BackupAbout } from '../backup/backup-format.ts'
import { checkWhole, peekBackup } from '../backup/read-backup.ts'

export interface WayBackOptions {
  directory: string | null
  folders: string[]
  isKnown: (schema: SchemaNumber) => boolean
}

const COPY = '.catenary'

/** What to do about a database of a newer program, in a sentence or two: which copy leads back, and how it is restored. */
export async function describeWayBack({ directory, folders, isKnown }: WayBackOptions): Promise<string> {
  const copy = await findCopy({ directory, folders, isKnown })
  const places = folders.length === 0 ? '' : ` There is none in ${folders.join(' or ')}.`
  if (copy === undefined)
    return `Start that version, or restore a backup that was made before the upgrade.${places}`
  const { file, takenAt, program } = copy
  const place = directory === null ? 'set DATABASE_URL to an empty database' : `move ${directory} away`
  return (
    `Start that version. Or go back to ${file}, taken ${takenAt} by Catenary ${program}, ` +
    `without what was written since: ${place}, and run "catenary restore ${file}".`
  )
}

async function findCopy({
  directory,
  folders,
  isKnown,
}: WayBackOptions): Promise<(BackupAbout & { file: string }) | undefined> {
  const found: (BackupAbout & { file: string })[] = []
  for (const file of (await Promise.all(folders.map(listFiles))).flat()) {
    const about = await orUndefined(peekBackup(file))
    if (about === undefined || !isKnown(about.schema)) continue
    if (about.kind === 'files' && directory === null) continue
    found.push({ ...about, file })
  }
  const newestFirst = found.toSorted((a, b) => Date.parse(b.takenAt) - Date.parse(a.takenAt))
  for (const copy of newestFirst) if ((await orUndefined(checkWhole(copy.file))) !== undefined) return copy
  return undefined
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await orUndefined(readdir(folder))
  return (names ?? []).filter((name) => name.endsWith(COPY)).map((name) => path.join(folder, name))
}

/** Whatever can't be read leads nowhere, and must not hide why the program did not start. */
const orUndefined = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined)

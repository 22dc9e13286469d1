import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../../errors.ts'

/** Without these PostgreSQL does not open the database, or makes an empty one in its place. */
const NEEDED = ['PG_VERSION', 'base', 'global/pg_control', 'pg_wal', 'pg_xact']
const KEPT_BESIDE = ['secret.key', 'backups']
const BACKUPS = 'backups'
/** Copies of earlier versions are folders. */
const BACKUP_FILE = '.catenary'

interface DatabasePlace {
  dataDir: string
  directory: string
  backups?: string | undefined
}

/** Refuses a directory in which PostgreSQL would start over, or fail, although something is there. */
export function checkDatabaseFiles(place: DatabasePlace): void {
  const { dataDir, directory } = place
  if (isEmpty(directory)) {
    const kept = KEPT_BESIDE.find((name) => !isEmpty(path.join(dataDir, name)))
    if (kept === undefined) return
    throw new StartError(
      `The database is gone: ${directory} is empty or missing, beside ${path.join(dataDir, kept)}. ` +
        `${restoreAdvice(place)}, or move ${kept} away to start with an empty database.`,
    )
  }
  const missing = NEEDED.filter((name) => !existsSync(path.join(directory, name)))
  if (missing.length === 0) return
  throw new StartError(
    `The database in ${directory} is incomplete: ${missing.join(', ')} is missing. ` +
      `${restoreAdvice(place)}, or move ${dataDir} away to start with an empty database.`,
  )
}

export function restoreAdvice({ dataDir, directory, backups }: DatabasePlace): string {
  const beside = path.join(dataDir, BACKUPS)
  const folders = [...new Set([beside, backups ?? beside])]
  const copy = newestCopy(folders)
  if (copy === undefined) return `There is no copy of it in ${folders.join(' or ')}: restore one of your own`
  if (copy.endsWith(BACKUP_FILE)) {
    return `Its last copy is ${copy}: move ${directory} away, if it is there, and run "catenary restore ${copy}"`
  }
  return `Its last copy is ${copy}: replace ${directory} with it`
}

export const BACKUP_SLOT = 'catenary_backup'

/**
 * What an earlier process left: the directory lock decides who has the database, so its pid file means nothing; the
 * slot of a copy that it was making would keep the log for ever.
 */
export function removeLeftovers(directory: string): void {
  for (const left of ['postmaster.pid', path.join('pg_replslot', BACKUP_SLOT)])
    rmSync(path.join(directory, left), { recursive: true, force: true })
}

function newestCopy(folders: string[]): string | undefined {
  const copies = folders
    .flatMap((folder) => listNames(folder).map((name) => path.join(folder, name)))
    .filter(
      (copy) =>
        copy.endsWith(BACKUP_FILE) || (existsSync(path.join(copy, 'PG_VERSION')) && !copy.endsWith('.new')),
    )
  return copies.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
}

/** None in a folder that can't be read: why the database can't be opened matters more. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isEmpty(place: string): boolean {
  const stat = statSync(place, { throwIfNoEntry: false })
  if (stat === undefined) return true
  return stat.isDirectory() ? readdirSync(place).length === 0 : stat.size === 0
}

import { existsSync, readdirSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DATABASE_DIRECTORY, openDatabase } from '../client.ts'
import { lockDirectory } from '../embedded/directory-lock.ts'
import { fsyncDirectory, fsyncTree } from '../embedded/fsync.ts'
import { migrate } from '../migrate.ts'
import { BackupFileError } from './backup-format.ts'
import type { ReadPart, TableContent } from './backup-parts.ts'
import { countRows } from './embedded-copy.ts'
import { makeQuiet, type PendingWork } from './make-quiet.ts'
import type { OpenedBackup } from './read-backup.ts'

interface RestoreOptions {
  /** Of kind `files`; all of it is read. */
  backup: OpenedBackup
  dataDir: string
  fsync: boolean
  resumeWork: boolean
}

interface Restored {
  /** Rows of all tables, as the copy has them. */
  rows: number
  pending: PendingWork
}

/** Holds a data directory of its own, until its database takes its place. */
const RESTORING = 'restoring'

/**
 * Puts a copy into a data directory without a database: unpacked aside, opened, counted, brought to this program's
 * schema, made quiet, and renamed, which is the one moment at which it comes to be. Whatever fails, or cuts it short,
 * leaves no database; the next try removes what this one left. Throws StartError where the directory is in use or has
 * a database, BackupFileError where the copy is not what it says.
 */
export async function restoreFiles({
  backup,
  dataDir,
  fsync,
  resumeWork,
}: RestoreOptions): Promise<Restored> {
  const lock = lockDirectory(dataDir)
  const aside = path.join(dataDir, RESTORING)
  try {
    const target = path.join(dataDir, DATABASE_DIRECTORY)
    requireEmpty(target)
    await rm(aside, { recursive: true, force: true })
    const unpacked = path.join(aside, DATABASE_DIRECTORY)
    await unpack({ backup, aside })
    const { rows, tables } = backup.manifest()
    const pending = await prepare({ dataDir: aside, fsync, resumeWork, tables })
    fsyncTree(unpacked)
    await rm(target, { recursive: true, force: true })
    await rename(unpacked, target)
    fsyncDirectory(dataDir)
    return { rows, pending }
  } finally {
    await rm(aside, { recursive: true, force: true })
    lock.release()
  }
}

/** Throws BackupFileError for a place that holds anything. */
function requireEmpty(target: string): void {
  if (!existsSync(target) || readdirSync(target).length === 0) return
  throw new BackupFileError(
    `There is a database in ${target} already. Move it away first, or set DATA_DIR to another directory.`,
  )
}

async function unpack({ backup, aside }: { backup: OpenedBackup; aside: string }): Promise<void> {
  await mkdir(aside, { mode: 0o700 })
  for await (const { name, content } of backup.parts) {
    const place = path.join(aside, name)
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    if (name.endsWith('/'))
      await pipeline(content, drain).then(() => mkdir(place, { recursive: true, mode: 0o700 }))
    else await writePart({ place, content })
  }
}

async function writePart({ place, content }: { place: string; content: ReadPart['content'] }): Promise<void> {
  const handle = await open(place, 'wx', 0o600)
  try {
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _nothing of content);
}

async function prepare({
  tables,
  resumeWork,
  ...place
}: {
  dataDir: string
  fsync: boolean
  resumeWork: boolean
  tables: Record<string, TableContent>
}): Promise<PendingWork> {
  const database = await openDatabase(place)
  try {
    requireSameCounts(tables, await database.withoutLimit(countRows))
    // The copy itself is the one to go back to.
    await migrate({ database, copyFirst: false })
    return await database.withoutLimit((client) => makeQuiet({ client, resumeWork }))
  } finally {
    await database.close()
  }
}

function requireSameCounts(
  expected: Record<string, TableContent>,
  found: Record<string, TableContent>,
): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [wanted, had] = [expected[name]?.rows, found[name]?.rows]
    if (wanted !== had)
      throw new BackupFileError(
        `The copy does not open as it was: its table ${name} has ${had ?? 'no'} rows instead of ${wanted ?? 'none'}. Use another copy.`,
      )
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DATABASE_DIRECTORY, openDatabase } from '../client.ts'
import { lockDirectory } from '../embedded/directory-lock.ts'
import { fsyncDirectory, fsyncTree } from '../embedded/fsync.ts'
import { migrate } from '../migrate.ts'
import { readSchemaNumber } from '../schema-number.ts'
import { BackupFileError, type BackupManifest } from './backup-format.ts'
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
  /** Called as each is passed. */
  onStage?: RestoreObserver | undefined
}

/** What was passed, and what it found; `rows`: of all tables. */
type RestoreObserver = (
  stage: 'opened' | 'counted' | 'migrated',
  about: { found: string; rows?: number },
) => void

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
  onStage = () => {},
}: RestoreOptions): Promise<Restored> {
  const lock = lockDirectory(dataDir)
  const aside = path.join(dataDir, RESTORING)
  try {
    const target = path.join(dataDir, DATABASE_DIRECTORY)
    requireEmpty(target)
    await rm(aside, { recursive: true, force: true })
    const unpacked = path.join(aside, DATABASE_DIRECTORY)
    await unpack({ backup, aside })
    const { rows, tables, parts } = backup.manifest()
    const pending = await prepare({ dataDir: aside, fsync, resumeWork, tables, parts, rows, onStage })
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
  parts,
  rows,
  resumeWork,
  onStage,
  ...place
}: BackupManifest & {
  dataDir: string
  fsync: boolean
  resumeWork: boolean
  onStage: RestoreObserver
}): Promise<PendingWork> {
  const database = await openDatabase(place)
  try {
    const checksums = Object.keys(parts).length.toLocaleString('en')
    onStage('opened', { found: `${checksums} of ${checksums} checksums match` })
    requireSameCounts(tables, await database.withoutLimit(countRows))
    onStage('counted', { rows, found: `${rows.toLocaleString('en')} rows, as in its manifest` })
    const before = await readSchemaNumber(database.pool)
    // The copy itself is the one to go back to.
    await migrate({ database, copyFirst: false })
    const { applied } = await readSchemaNumber(database.pool)
    const done = applied - before.applied
    onStage('migrated', {
      found: `schema ${applied}, ${done === 0 ? 'nothing left to do' : `${done} migrations more`}`,
    })
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

import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { lockDirectory } from '../../database/embedded/directory-lock.ts'
import { FULL_BELOW_BYTES } from '../../database/embedded/disk-space.ts'
import { readSchemaNumber } from '../../database/open/schema-number.ts'
import { StartError } from '../../errors.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { describeVersion, readVersion } from '../../version.ts'
import { megabytes } from '../backup/backup-file.ts'
import { BackupFileError, type BackupManifest } from '../backup/backup-format.ts'
import { countRows } from '../backup/embedded-copy.ts'
import { explainUnknownTables } from '../backup/known-tables.ts'
import { openBackup, verifyBackup } from '../backup/read-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import type { Rehearsal, RehearsedTable } from './rehearsal.ts'

interface RehearseOptions {
  file: string
  settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'embeddedFsync'>
  migrationsFolder?: string
}

/** In the data directory, as what is tried there is as large as the database. */
const PLACE = 'rehearsal'

/**
 * Tries an upgrade with a copy in a directory of its own, which is emptied before and gone after. Only the database is
 * opened there, and nothing of the program that could reach anyone. `makeCopy` is asked for a file in that directory.
 * Throws StartError where the copy can't be used, there is no room, or a migration fails.
 */
export async function rehearse({
  makeCopy,
  ...options
}: Pick<RehearseOptions, 'settings' | 'migrationsFolder'> & {
  makeCopy: (directory: string) => Promise<string>
}): Promise<Rehearsal> {
  const place = path.join(options.settings.dataDir, PLACE)
  const lock = lockDirectory(place)
  const remove = () => rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  const stop = () => {
    remove()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  try {
    removeLeftovers(place)
    const file = await makeCopy(place)
    return await tryUpgrade({ file, place, ...options })
  } finally {
    remove()
    lock.release()
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop)
  }
}

const COPY = 'copy'

/** Of a rehearsal that was killed; the lock's own files stay. */
function removeLeftovers(place: string): void {
  for (const name of readdirSync(place)) {
    if (name.startsWith(COPY)) rmSync(path.join(place, name), { recursive: true, force: true })
  }
}

export const rehearsedCopy = (place: string): string => path.join(place, `${COPY}.catenary`)

async function tryUpgrade({
  file,
  place,
  migrationsFolder,
  settings: { databaseUrl, dataDir, embeddedFsync: fsync },
}: RehearseOptions & { place: string }): Promise<Rehearsal> {
  const { about, bytes, manifest } = await verifyBackup(file)
  const unknown = explainUnknownTables({ file, about, what: 'Rehearse' })
  if (unknown !== undefined) throw new BackupFileError(unknown)
  requireRoom({ place, manifest })
  const directory = path.join(place, COPY)
  const migrations: Rehearsal['migrations'] = []
  const ended = { schema: 0, tables: {} as Awaited<ReturnType<typeof countRows>> }
  const room = createRoomWatch(directory)
  const start = performance.now()
  let restoreMs = 0
  try {
    await restoreBackup({
      backup: await openBackup(file),
      dataDir: directory,
      fsync,
      resumeWork: true,
      migrationsFolder,
      onStage: (stage) => {
        if (stage !== 'counted') return
        restoreMs = Math.round(performance.now() - start)
        room.begin()
      },
      onMigration: (migration) => {
        room.measure()
        migrations.push(migration)
      },
      inspect: async (client) => {
        ended.schema = (await readSchemaNumber(client)).applied
        ended.tables = await countRows(client)
      },
    })
  } finally {
    room.end()
  }
  const isEmbedded = databaseUrl === undefined
  const needed = { copyBytes: isEmbedded ? bytes : 0, growthBytes: room.growth() }
  const free = isEmbedded ? freeBytes(dataDir) : null
  return {
    takenAt: about.takenAt,
    before: { program: about.program, schema: about.schema.applied },
    after: { program: describeVersion(readVersion()), schema: ended.schema },
    restoreMs,
    migrations,
    tables: compare(manifest.tables, ended.tables),
    room: { ...needed, freeBytes: free, fits: free === null || free >= total(needed) + FULL_BELOW_BYTES },
    place,
  }
}

const total = ({ copyBytes, growthBytes }: { copyBytes: number; growthBytes: number }) =>
  copyBytes + growthBytes

/** A migration may write all of the database anew, beside what is there. */
const TIMES = 2

function requireRoom({ place, manifest: { parts } }: { place: string; manifest: BackupManifest }): void {
  const unpacked = Object.values(parts).reduce((sum, { bytes }) => sum + bytes, 0)
  const needed = TIMES * unpacked + FULL_BELOW_BYTES
  const free = freeBytes(place)
  if (free >= needed) return
  throw new StartError(
    `A rehearsal takes ${megabytes(needed)} in ${place}, and ${megabytes(free)} are free. Free up space, or set DATA_DIR to another disk and pass a backup.`,
  )
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

function compare(before: BackupManifest['tables'], after: BackupManifest['tables']): RehearsedTable[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.map((name) => ({
    name,
    before: before[name]?.rows ?? null,
    after: after[name]?.rows ?? null,
  }))
}

const POLL_MS = 200

/** Learns how much a directory grows meanwhile: at its largest, as what is written anew stands beside the old for a while. */
export function createRoomWatch(directory: string) {
  let [first, most] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  const measure = () => {
    most = Math.max(most, sizeOf(directory))
  }
  return {
    begin: () => {
      first = sizeOf(directory)
      most = first
      timer = setInterval(measure, POLL_MS)
    },
    measure,
    end: () => clearInterval(timer),
    growth: () => most - first,
  }
}

function sizeOf(directory: string): number {
  const sizes = listEntries(directory).map((entry) => {
    const place = path.join(directory, entry.name)
    if (entry.isDirectory()) return sizeOf(place)
    return entry.isFile() ? (statSync(place, { throwIfNoEntry: false })?.size ?? 0) : 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

function listEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

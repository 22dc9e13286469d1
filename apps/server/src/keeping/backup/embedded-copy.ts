import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { BACKUP_SLOT } from '../../database/embedded/database-files.ts'
import { fleetingInSql } from '../../database/schema/fleeting-tables.ts'
import { BackupFileError, FILES_PREFIX } from './backup-format.ts'
import type { BackupPart, BackupSource, TableContent } from './backup-parts.ts'

interface EmbeddedDatabase {
  directory: string
  /** The one session, without a limit on statements: others go on between two calls. */
  withSession: <T>(use: (client: pg.ClientBase) => Promise<T>) => Promise<T>
}

/** What belongs to a process that runs, or is copied apart: its folder is there, without what is in it. */
const EMPTY = new Set([
  ...['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot', 'pg_dynshmem', 'pg_notify'],
  ...['pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
])
/** Temporary files and tables, lists that are made anew, and what an earlier copy or process left. */
const SKIPPED =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+.*)$/
const CONTROL = 'global/pg_control'
const WAL = 'pg_wal'
const WAL_SEGMENT = /^[0-9A-F]{24}$/
const READ_AT_ONCE_BYTES = 1024 ** 2
const NOT_IN_THIS_STATE = '55000'

/**
 * A physical copy of the embedded database while it is used: its files as they are when each is read, and the log of
 * changes of the meantime, which makes them whole when the copy is opened. It holds all that was committed before
 * the first part is asked for; `tables` counts exactly the rows that it opens with. Others' statements wait only
 * for its first and its last moment. Only one at a time: throws BackupFileError for a second.
 */
export function copyEmbedded(database: EmbeddedDatabase): BackupSource {
  const tables: Record<string, TableContent> = {}
  return { kind: 'files', parts: readParts(database, tables), tables: () => tables }
}

export async function sizeOfEmbedded(directory: string): Promise<number> {
  let bytes = 0
  for await (const name of listNames(directory)) {
    if (!name.endsWith('/'))
      bytes += (await stat(path.join(directory, name)).catch(() => undefined))?.size ?? 0
  }
  return bytes
}

async function* readParts(
  { directory, withSession }: EmbeddedDatabase,
  tables: Record<string, TableContent>,
): AsyncGenerator<BackupPart> {
  const firstSegment = await withSession(begin)
  let isStopped = false
  try {
    for await (const name of listNames(directory)) {
      if (name.endsWith('/')) yield partOf(name, Buffer.alloc(0))
      else if (name !== CONTROL) yield* readPart(directory, name)
    }
    const ended = await withSession(end)
    isStopped = true
    Object.assign(tables, ended.tables)
    yield partOf(CONTROL, ended.control)
    yield partOf('backup_label', ended.label)
    const { lastSegment } = ended
    for (const name of await listSegments({ directory, firstSegment, lastSegment }))
      yield* readPart(directory, `${WAL}/${name}`)
  } finally {
    await withSession((client) => forget(client, { isStopped }))
  }
}

const partOf = (name: string, content: Buffer): BackupPart => ({
  name: `${FILES_PREFIX}${name}`,
  size: content.length,
  content,
})

async function begin(client: pg.ClientBase): Promise<string> {
  const { rows } = await client
    .query(`select pg_walfile_name(pg_backup_start('catenary', true)) as segment`)
    .catch((error: unknown) => {
      if (!isOfState(error)) throw error
      throw new BackupFileError('A backup is already being made. Try again when it is done.')
    })
  // Until it is dropped, a checkpoint leaves the segments of the log where they are.
  await client.query('select pg_create_physical_replication_slot($1, true)', [BACKUP_SLOT])
  return rows[0].segment
}

/** In one transaction, during which nobody writes: what it counts is what the log ends with. */
async function end(client: pg.ClientBase) {
  await client.query('begin isolation level repeatable read')
  try {
    const tables = await countRows(client)
    // Asked of the session, which alone writes it: this process could read it half.
    const control = await client.query(`select pg_read_binary_file('${CONTROL}') as bytes`)
    const { rows } = await client.query(`
      select labelfile as label, pg_walfile_name(lsn - 1) as segment from pg_backup_stop(false)`)
    await client.query('commit')
    const [{ label, segment }] = rows
    return { tables, control: control.rows[0].bytes, label: Buffer.from(label), lastSegment: segment }
  } catch (error) {
    await client.query('rollback')
    if (!isOfState(error)) throw error
    throw new BackupFileError('The database restarted while it was copied. Try again.')
  }
}

const isOfState = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === NOT_IN_THIS_STATE

export async function countRows(client: Pick<pg.ClientBase, 'query'>): Promise<Record<string, TableContent>> {
  const { rows: names } = await client.query(
    `select relname as name, quote_ident(relname) as quoted from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in (${fleetingInSql})
      order by relname`,
  )
  if (names.length === 0) return {}
  const counts = names.map(({ quoted }) => `(select count(*) from public.${quoted})`)
  const { rows } = await client.query(`select array[${counts.join(', ')}]::text[] as counts`)
  return Object.fromEntries(names.map(({ name }, at) => [name, { rows: Number(rows[0].counts[at]) }]))
}

async function forget(client: pg.ClientBase, { isStopped }: { isStopped: boolean }): Promise<void> {
  await client.query(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1',
    [BACKUP_SLOT],
  )
  if (isStopped) return
  await client.query('select pg_backup_stop(false)').catch((error: unknown) => {
    if (!isOfState(error)) throw error
  })
}

async function* listNames(directory: string, within = ''): AsyncGenerator<string> {
  for (const entry of await readdir(path.join(directory, within), { withFileTypes: true })) {
    const name = `${within}${entry.name}`
    if (SKIPPED.test(entry.name) || (EMPTY.has(path.dirname(name)) && !EMPTY.has(name))) continue
    if (entry.isDirectory()) {
      yield `${name}/`
      yield* listNames(directory, `${name}/`)
    } else yield name
  }
}

async function listSegments({
  directory,
  firstSegment,
  lastSegment,
}: {
  directory: string
  firstSegment: string
  lastSegment: string
}): Promise<string[]> {
  const names = await readdir(path.join(directory, WAL))
  return names
    .filter((name) => WAL_SEGMENT.test(name) && name >= firstSegment && name <= lastSegment)
    .toSorted()
}

/** With the size that it has now: what it grows by is in the log. Nothing for a file that is gone meanwhile. */
async function* readPart(directory: string, name: string): AsyncGenerator<BackupPart> {
  const handle = await open(path.join(directory, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (handle === undefined) return
  try {
    const { size } = await handle.stat()
    const content =
      size > READ_AT_ONCE_BYTES
        ? Readable.from(readFile(handle, size), { objectMode: false })
        : await readAt(handle, { length: size, position: 0 })
    yield { name: `${FILES_PREFIX}${name}`, size, content }
  } finally {
    await handle.close()
  }
}

async function* readFile(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; position += READ_AT_ONCE_BYTES) {
    const length = Math.min(READ_AT_ONCE_BYTES, size - position)
    yield await readAt(handle, { length, position })
  }
}

/** What the file no longer has is zeros: that it was cut is in the log too. */
async function readAt(handle: FileHandle, { length, position }: { length: number; position: number }) {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes
}

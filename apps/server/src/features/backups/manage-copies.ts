import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import {
  BACKUP_DAYS_SHOWN,
  type BackupCopy,
  type BackupsState,
  type User,
  type VerifiedBackup,
} from '@catenary/contracts'
import { AppError, StartError } from '../../errors.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { keyFingerprint } from '../../platform/secrets/secret-box.ts'
import { listActiveAdmins } from '../accounts/accounts.ts'
import { recordActivity } from '../activity/activity.ts'
import { describeFolder, listCopies, listReadableCopies, removeCopy } from './backup-folder.ts'
import { findUnderWay, sendTask } from './backup-tasks.ts'
import {
  type BackupRow,
  deleteQuietRow,
  findOptionalBackup,
  listBackups,
  markDeleted,
  readQuietRow,
} from './backups.sql.ts'
import { readDatabaseBytes, verifyCopy } from './copies.sql.ts'
import { daysAgo, isProven, zoneHere } from './kept-copies.ts'

export async function readBackups(ctx: Context): Promise<BackupsState> {
  const { database, db, mail, settings } = ctx
  const { directory, time, command } = settings.backups
  // Read first, so that whatever has ended by then is among the rows.
  const underWay = await findUnderWay(ctx)
  const rows = await listBackups(db, { since: daysAgo(ctx, BACKUP_DAYS_SHOWN) })
  const place =
    directory === undefined ? null : await describeFolder(directory, { database: database.directory })
  const there = await listReadableCopies(directory)
  return {
    place,
    database: { kind: database.kind, bytes: await readDatabaseBytes(database) },
    time,
    timeZone: zoneHere(),
    hasCommand: command !== undefined,
    toldByMail: mail.isSetUp ? (await listActiveAdmins(ctx)).map(({ username }) => username) : [],
    keyFingerprint: keyFingerprint(settings.secretKey),
    underWay,
    copies: rows.flatMap((row) => (row.state === 'deleted' ? [] : toCopy(row, there))),
    nights: rows
      .filter(({ reason }) => reason === 'daily')
      .map(({ takenAt, bytes }) => ({ at: takenAt.toISOString(), bytes }))
      .toReversed(),
  }
}

export async function takeCopyNow(ctx: Context): Promise<BackupsState> {
  requireDirectory(ctx)
  await requireWork(ctx)
  await transaction(ctx, async (ctx) => {
    await sendTask(ctx, { what: 'copy', reason: 'by hand' })
    await recordActivity(ctx, { kind: 'backup.made', object: 'backup' })
  })
  return readBackups(ctx)
}

/** Begins to restore it on trial, which goes on by itself. Throws `not_found`, and `conflict` beside another. */
export async function tryCopy(ctx: Context, id: number): Promise<BackupsState> {
  await requireFile(ctx, id)
  await requireWork(ctx)
  if ((await findUnderWay(ctx)) !== null) {
    throw new AppError('conflict', 'A copy is already being made or tested. Try again when that is done.')
  }
  await transaction(ctx, async (ctx) => {
    await sendTask(ctx, { what: 'drill', id })
    await recordActivity(ctx, { kind: 'backup.tried', object: 'backup', id })
  })
  return readBackups(ctx)
}

const verification = onePerApp(() => ({ isUnderWay: false }))

/** Reads all of it. Throws `not_found`, and `conflict` while another is read. */
export async function verifyBackup(ctx: Context, id: number): Promise<VerifiedBackup> {
  const { file } = await requireFile(ctx, id)
  const here = verification(ctx)
  if (here.isUnderWay)
    throw new AppError('conflict', 'A copy is already being verified. Try again in a moment.')
  here.isUnderWay = true
  try {
    return { problem: null, ...(await verifyCopy(file)) }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return { problem: error.message, bytes: null, rows: null, tables: null }
  } finally {
    here.isUnderWay = false
  }
}

interface Wanted {
  id: number
  user: User
}

/** All of its bytes, which hold everyone's data. Throws `not_found`. */
export async function openCopy(
  ctx: Context,
  { id, user }: Wanted,
): Promise<{ name: string; bytes: number; content: Readable }> {
  const { name, bytes, file } = await requireFile(ctx, id)
  await transaction(ctx, (ctx) => recordActivity(ctx, { kind: 'backup.downloaded', object: 'backup', id }))
  ctx.log.warn({ name, userId: user.id }, 'a backup is downloaded')
  return { name, bytes, content: createReadStream(file) }
}

/** Deletes the file too. Throws `not_found`, and `conflict` for the newest that was proven. */
export async function deleteCopy(ctx: Context, id: number): Promise<void> {
  const row = await requireRow(ctx, id)
  const { copies } = await readBackups(ctx)
  if (copies.find((copy) => copy.state === 'kept' && isProven(copy))?.id === id) {
    throw new AppError('conflict', 'This is the newest proven copy. Test-restore another one first.')
  }
  if (row.name !== null) await removeCopy(requireDirectory(ctx), row.name)
  await transaction(ctx, async (ctx) => {
    await markDeleted(ctx.db, [id])
    await recordActivity(ctx, { kind: 'backup.deleted', object: 'backup', id })
  })
}

/** Lets a restored copy do its work from the next start on. Throws `conflict` where it is none. */
export function resumeWork(ctx: Context): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (!(await deleteQuietRow(ctx.db))) throw new AppError('conflict', 'This copy is not quiet')
    await recordActivity(ctx, { kind: 'instance.work_resumed', object: 'instance' })
  })
}

/** Throws `conflict` where copies are kept nowhere. */
function requireDirectory({ settings }: Context): string {
  const { directory } = settings.backups
  if (directory !== undefined) return directory
  throw new AppError(
    'conflict',
    'BACKUP_DIR is not set, so there is nowhere to put copies. Set it and restart Catenary.',
  )
}

async function requireRow({ db }: Context, id: number): Promise<BackupRow> {
  const row = await findOptionalBackup(db, id)
  if (row === undefined) throw new AppError('not_found', 'This copy does not exist')
  return row
}

interface CopyFile {
  name: string
  bytes: number
  file: string
}

/** Throws `not_found`, also where its file is not there. */
async function requireFile(ctx: Context, id: number): Promise<CopyFile> {
  const { name } = await requireRow(ctx, id)
  const directory = requireDirectory(ctx)
  const bytes = name === null ? undefined : (await listCopies(directory)).get(name)
  if (name === null || bytes === undefined) throw new AppError('not_found', 'The file of this copy is gone')
  return { name, bytes, file: path.join(directory, name) }
}

/** Throws `conflict`: in a quiet copy nothing does the jobs. */
async function requireWork({ db, isQuiet }: Context): Promise<void> {
  if ((await readQuietRow(db)) !== undefined) {
    throw new AppError('conflict', 'This restored copy is quiet. Resume its work first.')
  }
  if (isQuiet) throw new AppError('conflict', 'Work resumes after the next restart. Restart Catenary first.')
}

function toCopy({ takenAt, drill, state, ...row }: BackupRow, there: Map<string, number>): BackupCopy {
  const isGone = state === 'kept' && !there.has(row.name ?? '')
  return {
    id: row.id,
    name: row.name,
    takenAt: takenAt.toISOString(),
    reason: row.reason,
    state: isGone ? 'gone' : state === 'kept' ? 'kept' : 'failed',
    bytes: row.bytes,
    program: row.program,
    schema: row.schema,
    rows: row.rows,
    problem: row.problem,
    log: row.log,
    drill,
  }
}

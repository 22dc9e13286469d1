import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  BACKUP_DAYS_SHOWN,
  type BackupCopy,
  type BackupsState,
  type User,
  type VerifiedBackup,
} from '@catenary/contracts'
import { AppError, StartError } from '../../errors.ts'
import { keyFingerprint } from '../../platform/secrets/secret-box.ts'
import { describeFolder, listReadableCopies, removeCopy } from './backup-folder.ts'
import {
  type BackupRow,
  createBackupEvent,
  deleteQuietRow,
  listBackups,
  markDeleted,
} from './backups.repository.ts'
import { type BackupsDeps, daysAgo, isProven } from './backups-deps.ts'
import { readDatabaseBytes, verifyCopy } from './copies.repository.ts'
import { readNotices, readProvenAge } from './notices.ts'
import { requireDirectory, requireFile, requireRow, requireWork } from './required-copies.ts'

export type BackupsService = ReturnType<typeof createBackupsService>

/** The copies as administrators see them, and what they do with them. */
export function createBackupsService(deps: BackupsDeps) {
  const { db, log } = deps
  let verifying = false

  const note = ({ user, ...event }: { user: User; action: string; details?: object }) =>
    db.transaction((tx) => createBackupEvent(tx, { actorId: user.id, ...event }))

  return {
    read: () => readState(deps),

    /** Begins a copy, which goes on by itself. */
    async takeNow(user: User): Promise<BackupsState> {
      requireDirectory(deps)
      await requireWork(deps)
      await deps.send(db, { what: 'copy', reason: 'by hand' })
      await note({ user, action: 'backup.made' })
      return readState(deps)
    },

    /** Begins to restore it on trial, which goes on by itself. Throws `not_found`, and `conflict` beside another. */
    async drill(id: number): Promise<BackupsState> {
      await requireFile(deps, id)
      await requireWork(deps)
      if ((await deps.findUnderWay()) !== null) {
        throw new AppError('conflict', 'A copy is being made or tried already. Try again when that is done.')
      }
      await deps.send(db, { what: 'drill', id })
      return readState(deps)
    },

    /** Reads all of it. Throws `not_found`, and `conflict` while another is read. */
    async verify(id: number): Promise<VerifiedBackup> {
      const { file } = await requireFile(deps, id)
      if (verifying)
        throw new AppError('conflict', 'A copy is being verified already. Try again in a moment.')
      verifying = true
      try {
        return { problem: null, ...(await verifyCopy(file)) }
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        return { problem: error.message, bytes: null, rows: null, tables: null }
      } finally {
        verifying = false
      }
    },

    /** All of its bytes, which hold everyone's data. Throws `not_found`. */
    async open({
      id,
      user,
    }: {
      id: number
      user: User
    }): Promise<{ name: string; bytes: number; content: Readable }> {
      const { name, bytes, file } = await requireFile(deps, id)
      await note({ user, action: 'backup.downloaded', details: { name } })
      log.warn({ name, userId: user.id }, 'a backup is downloaded')
      return { name, bytes, content: createReadStream(file) }
    },

    /** Deletes the file too. Throws `not_found`, and `conflict` for the newest that was proven. */
    async delete({ id, user }: { id: number; user: User }): Promise<void> {
      const row = await requireRow(deps, id)
      const { copies } = await readState(deps)
      if (copies.find((copy) => copy.state === 'kept' && isProven(copy))?.id === id) {
        throw new AppError('conflict', 'This is the newest copy that was proven. Prove another first.')
      }
      if (row.name !== null) await removeCopy(requireDirectory(deps), row.name)
      await markDeleted(db, [id])
      await note({ user, action: 'backup.deleted', details: { name: row.name } })
    },

    notices: () => readNotices(deps),

    /** Lets a restored copy do its work from the next start on. Throws `conflict` where it is none. */
    async resumeWork(user: User): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await deleteQuietRow(tx))) throw new AppError('conflict', 'This copy is not quiet')
        await createBackupEvent(tx, { actorId: user.id, action: 'instance.work_resumed' })
      })
    },

    readProvenAge: () => readProvenAge(deps),
  }
}

async function readState(deps: BackupsDeps): Promise<BackupsState> {
  const { accounts, database, db, mails, settings, timeZone } = deps
  const { directory, time, command } = settings.backups
  // First, so that what ended by then is among the rows.
  const underWay = await deps.findUnderWay()
  const rows = await listBackups(db, { since: daysAgo(deps, BACKUP_DAYS_SHOWN) })
  const place =
    directory === undefined ? null : await describeFolder(directory, { database: database.directory })
  const there = await listReadableCopies(directory)
  return {
    place,
    database: { kind: database.kind, bytes: await readDatabaseBytes(database) },
    time,
    timeZone,
    hasCommand: command !== undefined,
    toldByMail: mails.isSetUp ? (await accounts.listActiveAdmins()).map(({ username }) => username) : [],
    keyFingerprint: keyFingerprint(settings.secretKey),
    underWay,
    copies: rows.flatMap((row) => (row.state === 'deleted' ? [] : toCopy(row, there))),
    nights: rows
      .filter(({ reason }) => reason === 'daily')
      .map(({ takenAt, bytes }) => ({ at: takenAt.toISOString(), bytes }))
      .toReversed(),
  }
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

import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import {
  type AdminNotices,
  BACKUP_DAYS_SHOWN,
  type BackupCopy,
  type BackupsState,
  pendingWork,
  type User,
  type VerifiedBackup,
} from '@catenary/contracts'
import * as z from 'zod'
import { AppError, StartError } from '../../errors.ts'
import { keyFingerprint } from '../../platform/secrets/secret-box.ts'
import { describeFolder, listCopies, removeCopy } from './backup-folder.ts'
import {
  type BackupRow,
  createBackupEvent,
  deleteQuietRow,
  findOptionalBackup,
  listBackups,
  markDeleted,
  readQuietRow,
} from './backups.repository.ts'
import { type BackupsDeps, daysAgo, isProven } from './backups-deps.ts'
import { readDatabaseBytes, verifyCopy } from './copies.repository.ts'

const quietRow = z.object({ since: z.iso.datetime(), pending: pendingWork })

export type BackupsService = ReturnType<typeof createBackupsService>

/** The copies as administrators see them, and what they do with them. */
export function createBackupsService(deps: BackupsDeps) {
  const { db, log, settings } = deps
  const { directory } = settings.backups
  let verifying = false

  function requireDirectory(): string {
    if (directory !== undefined) return directory
    throw new AppError('conflict', 'BACKUP_DIR is not set, so there is no place for copies')
  }

  /** Throws `not_found`, also where its file is not there. */
  async function requireCopy(
    id: number,
  ): Promise<{ row: BackupRow; name: string; bytes: number; file: string }> {
    const row = await findOptionalBackup(db, id)
    if (row === undefined) throw new AppError('not_found', 'This copy does not exist')
    const { name } = row
    const bytes = name === null ? undefined : listCopies(requireDirectory()).get(name)
    if (name === null || bytes === undefined) throw new AppError('not_found', 'The file of this copy is gone')
    return { row, name, bytes, file: path.join(requireDirectory(), name) }
  }

  const note = (event: { user: User; action: string; details?: object }) =>
    db.transaction((tx) =>
      createBackupEvent(tx, {
        actorId: event.user.id,
        action: event.action,
        ...(event.details && { details: event.details }),
      }),
    )

  return {
    read: () => readState(deps),

    /** Begins a copy, which goes on by itself. */
    async takeNow(user: User): Promise<BackupsState> {
      requireDirectory()
      await deps.send(db, { what: 'copy', reason: 'by hand' })
      await note({ user, action: 'backup.made' })
      return readState(deps)
    },

    /** Begins to restore it on trial, which goes on by itself. Throws `not_found`. */
    async drill(id: number): Promise<BackupsState> {
      await requireCopy(id)
      await deps.send(db, { what: 'drill', id })
      return readState(deps)
    },

    /** Reads all of it. Throws `not_found`, and `conflict` while another is read. */
    async verify(id: number): Promise<VerifiedBackup> {
      const { file } = await requireCopy(id)
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
      const { name, bytes, file } = await requireCopy(id)
      await note({ user, action: 'backup.downloaded', details: { name } })
      log.warn({ name, userId: user.id }, 'a backup is downloaded')
      return { name, bytes, content: createReadStream(file) }
    },

    /** Deletes the file too. Throws `not_found`, and `conflict` for the newest that was proven. */
    async delete({ id, user }: { id: number; user: User }): Promise<void> {
      const row = await findOptionalBackup(db, id)
      if (row === undefined) throw new AppError('not_found', 'This copy does not exist')
      const { copies } = await readState(deps)
      if (copies.find((copy) => copy.state === 'kept' && isProven(copy))?.id === id) {
        throw new AppError('conflict', 'This is the newest copy that was proven. Prove another first.')
      }
      if (row.name !== null) removeCopy(requireDirectory(), row.name)
      await markDeleted(db, [id])
      await note({ user, action: 'backup.deleted', details: { name: row.name } })
    },

    notices: () => readNotices(deps),

    /** Lets a restored copy do its work from the next start on. Throws `conflict` where it is none. */
    async resumeWork(user: User): Promise<void> {
      if (!(await deleteQuietRow(db))) throw new AppError('conflict', 'This copy is not quiet')
      await note({ user, action: 'instance.work_resumed' })
    },

    /** Seconds since the last copy that was proven was made; infinite without one. */
    async readProvenAge(): Promise<number> {
      const rows = await listBackups(db, { since: deps.now() })
      const there = directory === undefined ? new Map() : listCopies(directory)
      const proven = rows.find((row) => isProven(row) && there.has(row.name ?? ''))
      if (proven === undefined) return Number.POSITIVE_INFINITY
      return Math.max(0, (deps.now().getTime() - proven.takenAt.getTime()) / 1_000)
    },
  }
}

async function readState(deps: BackupsDeps): Promise<BackupsState> {
  const { accounts, database, db, mails, settings, timeZone } = deps
  const { directory, time, command } = settings.backups
  // First, so that what ended by then is among the rows.
  const underWay = await deps.findUnderWay()
  const rows = await listBackups(db, { since: daysAgo(deps, BACKUP_DAYS_SHOWN) })
  const place = directory === undefined ? null : describeFolder(directory, { database: database.directory })
  const there = directory === undefined || place?.problem !== null ? new Map() : listCopies(directory)
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
    drill,
  }
}

async function readNotices({ db, now }: BackupsDeps): Promise<AdminNotices> {
  const quiet = quietRow.safeParse(await readQuietRow(db)).data ?? null
  const rows = await listBackups(db, { since: new Date(now().getTime() - NOTICED_MS) })
  const last = rows.find(({ state, problem, drill }) => state !== 'deleted' && (problem ?? drill) !== null)
  return { quiet, backup: last === undefined ? null : toNotice(last) }
}

/** By then another has been tried. */
const NOTICED_MS = 604_800_000

function toNotice({ drill, problem, takenAt }: BackupRow): AdminNotices['backup'] {
  if (drill?.state === 'failed' && drill.problem !== null) {
    return { what: 'drill', at: drill.at, problem: drill.problem }
  }
  return problem === null ? null : { what: 'copy', at: takenAt.toISOString(), problem }
}

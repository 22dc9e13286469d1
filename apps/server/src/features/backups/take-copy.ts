import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { BackupReason } from '@catenary/contracts'
import { StartError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { keyFingerprint } from '../../platform/secrets/secret-box.ts'
import { describeVersion, readVersion } from '../../version.ts'
import { copyName, listCopies, removeCopy } from './backup-folder.ts'
import { type BackupRow, listBackups, markDeleted, saveBackup } from './backups.sql.ts'
import { writeCopy } from './copies.sql.ts'
import { openPlace } from './copies-place.ts'
import { deletedLog } from './deleted-log.ts'
import { isProven, listSpare, zoneHere } from './kept-copies.ts'
import { notifyAdmins } from './notify-admins.ts'

const COMMAND_LIMIT_MS = 3_600_000
/** Of what it wrote, the end: in the sentence, and in the log. */
const SAID_MAX = 300
const LOG_MAX = 8_000
/** A command that reports each of its steps has not failed. */
const OUTPUT_MAX_BYTES = 16_777_216

/**
 * Makes a copy, runs the command with it, and deletes copies past their time. A failure is a row too, and
 * administrators are told. Undefined where nothing came of it.
 */
export async function takeCopy(
  ctx: Context,
  { reason, directory, signal }: { reason: BackupReason; directory: string; signal: AbortSignal },
): Promise<BackupRow | undefined> {
  const { database, db, log, now, settings } = ctx
  const takenAt = now()
  const fields = { takenAt, reason, program: describeVersion(readVersion()) }
  const name = copyName(fields)
  const file = path.join(directory, name)
  try {
    await openPlace(ctx, directory)
    await deletedLog(ctx).bringUp()
    const fingerprint = keyFingerprint(settings.secretKey)
    const { bytes, schema } = await writeCopy({ database, file, reason, keyFingerprint: fingerprint })
    signal.throwIfAborted()
    const { problem, log: said } = await runCommand({ command: settings.backups.command, file, signal })
    const copy = await saveBackup(db, { ...fields, name, state: 'kept', bytes, schema, problem, log: said })
    if (problem !== null) await notifyAdmins(ctx, { what: 'copy', copy, problem })
    log.info({ file, bytes }, 'a backup was made')
    await removeSpare(ctx, directory)
    return copy
  } catch (error) {
    signal.throwIfAborted()
    const problem = describeFailure(error)
    log.error({ err: error }, 'no backup could be made')
    const causes = describeCauses(error)
    const copy = await saveBackup(db, { ...fields, name: null, state: 'failed', problem, log: causes })
    await notifyAdmins(ctx, { what: 'copy', copy, problem })
    return undefined
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return 'The disk filled up. The incomplete copy was deleted.'
  }
  return error instanceof Error ? error.message : String(error)
}

function describeCauses(error: unknown): string | null {
  const lines: string[] = []
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    lines.push(`${at.name}${typeof code === 'string' ? ` (${code})` : ''}: ${at.message}`)
  }
  return error instanceof StartError && lines.length === 1 ? null : lines.join('\n').slice(0, LOG_MAX)
}

interface Ran {
  problem: string | null
  log: string | null
}

/** Without a shell, with the path as its one argument. */
async function runCommand({
  command,
  file,
  signal,
}: {
  command: string | undefined
  file: string
  signal: AbortSignal
}): Promise<Ran> {
  if (command === undefined) return { problem: null, log: null }
  try {
    await promisify(execFile)(command, [file], {
      timeout: COMMAND_LIMIT_MS,
      killSignal: 'SIGKILL',
      signal,
      maxBuffer: OUTPUT_MAX_BYTES,
    })
    return { problem: null, log: null }
  } catch (error) {
    signal.throwIfAborted()
    const { code, killed, stderr = '', stdout = '' } = error as Refusal
    const said = stderr.trim().slice(-SAID_MAX)
    const why = killed === true ? 'took more than an hour and was ended' : `failed (${String(code)})`
    const log = `${stdout}${stderr}`.trim().slice(-LOG_MAX)
    return {
      problem: `The copy is here, but BACKUP_COMMAND ${why}${said === '' ? '.' : `: ${said}`}`,
      log: log === '' ? null : log,
    }
  }
}

interface Refusal {
  code?: unknown
  killed?: boolean
  stderr?: string
  stdout?: string
}

async function removeSpare(ctx: Context, directory: string): Promise<void> {
  const { db, now } = ctx
  const there = await listCopies(directory)
  const rows = await listBackups(db, { since: now() })
  const copies = rows.flatMap((row) =>
    row.state === 'kept' && row.name !== null && there.has(row.name)
      ? { ...row, name: row.name, isProven: isProven(row) }
      : [],
  )
  const spare = listSpare(copies, { timeZone: zoneHere() })
  for (const { name } of spare) await removeCopy(directory, name)
  if (spare.length > 0)
    await markDeleted(
      db,
      spare.map(({ id }) => id),
    )
}

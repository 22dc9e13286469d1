import path from 'node:path'
import { type BackupAbout, BackupFileError } from '../keeping/backup/backup-format.ts'
import { explainUnknownTables } from '../keeping/backup/known-tables.ts'
import type { PendingWork } from '../keeping/backup/quiet-copy.ts'
import { type OpenedBackup, openBackup } from '../keeping/backup/read-backup.ts'
import { requireEmbedded, restoreBackup } from '../keeping/backup/restore-backup.ts'
import { openKey } from '../platform/secrets/sealed-key.ts'
import { keyFingerprint } from '../platform/secrets/secret-box.ts'
import { findSecretKeys, keepSecretKey } from '../platform/secrets/secret-key.ts'
import { readSettings, type Settings } from '../platform/settings/settings.ts'
import { describeAgain, gatherDeleted, noteDeleted } from './deleted.ts'
import { readPassphrase } from './read-passphrase.ts'

interface RestoreOptions {
  /** What was pending in the copy goes on with the next start. */
  resumeWork?: boolean
}

export async function restore(file: string, { resumeWork = false }: RestoreOptions): Promise<string> {
  const settings = readSettings()
  const backup = await openBackup(file)
  try {
    requireUsable({ file, about: backup.about, settings })
    const key = await findKey({ backup, settings })
    const { databaseUrl, databaseDirectUrl, dataDir, embeddedFsync: fsync } = settings
    if (key !== undefined) await keepSecretKey({ dataDir, secretKey: key })
    const deleted = await gatherDeleted(settings, file)
    const { rows, pending, again } = await restoreBackup({
      backup,
      deleted,
      databaseUrl,
      databaseDirectUrl,
      dataDir,
      fsync,
      resumeWork,
    })
    await noteDeleted(dataDir, deleted)
    const { takenAt, program } = backup.about
    return [
      `Restored ${rows.toLocaleString('en')} rows to ${databaseUrl === undefined ? dataDir : 'the PostgreSQL of DATABASE_URL'}, as they were ${takenAt} under Catenary ${program}.`,
      'Everyone is signed out, and all tokens are off until their owners set a new expiry date.',
      ...describeAgain(again),
      describePending(pending, { resumeWork }),
    ].join('\n')
  } finally {
    await backup.close()
  }
}

interface Wanted {
  file: string
  about: BackupAbout
  settings: Settings
}

function requireUsable({ file, about, settings: { databaseUrl } }: Wanted): void {
  const trouble = explainUnknownTables({ file, about, what: 'Restore it' })
  if (trouble !== undefined) throw new BackupFileError(trouble)
  if (about.kind === 'files') requireEmbedded({ file, databaseUrl })
}

async function findKey({
  backup: { file, about, sealedKey },
  settings,
}: {
  backup: OpenedBackup
  settings: Settings
}): Promise<string | undefined> {
  const { keyFingerprint: wanted } = about
  const { secretKey: known, secretKeyAlso: earlier } = await findSecretKeys(settings)
  const fingerprints = [known, earlier].map((key) => key && keyFingerprint(key))
  if (wanted === null || fingerprints.includes(wanted)) return undefined
  if (known === undefined && sealedKey !== undefined) {
    const opened = await openKey({ sealedKey, passphrase: await readPassphrase() })
    if (opened !== undefined && keyFingerprint(opened) === wanted) return opened
    throw new BackupFileError(`The passphrase does not open the key in ${file}.`)
  }
  if (settings.newSecretKey) return undefined
  const place = path.join(settings.dataDir, 'secret.key')
  throw new BackupFileError(
    `${file} was made with ${known === undefined ? 'a SECRET_KEY, and none is set here' : 'a different SECRET_KEY from the one set here'}. ` +
      `Set SECRET_KEY to that one, or put it into ${place}; ` +
      'or set NEW_SECRET_KEY=on to continue without what it encrypted: header values, tokens, Google connections.',
  )
}

function describePending(pending: PendingWork, { resumeWork }: { resumeWork: boolean }): string {
  const { schedules, mails, jobs, runs } = pending
  const listed = `${schedules} schedules, ${mails} mails, ${jobs} jobs, ${runs} runs`
  if (resumeWork) return `What was pending continues with the next start: ${listed}.`
  return `It is quiet: pending work waits (${listed}). restore --resume-work would have resumed it.`
}

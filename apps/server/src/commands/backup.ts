import { existsSync } from 'node:fs'
import path from 'node:path'
import { DirectoryInUseError } from '../database/embedded/directory-lock.ts'
import { DATABASE_DIRECTORY } from '../database/open/client.ts'
import { StartError } from '../errors.ts'
import { checkTarget, megabytes, writeBackupFile } from '../keeping/backup/backup-file.ts'
import { sizeOfEmbedded } from '../keeping/backup/embedded-copy.ts'
import { requireOwnTables } from '../keeping/backup/own-tables.ts'
import { estimateBytes, withBackup } from '../keeping/backup/with-backup.ts'
import { withDatabase } from '../keeping/upgrade/with-database.ts'
import { askControl } from '../platform/control/ask-control.ts'
import { sealKey } from '../platform/secrets/sealed-key.ts'
import { keyFingerprint } from '../platform/secrets/secret-box.ts'
import { findSecretKeys } from '../platform/secrets/secret-key.ts'
import { readSettings, type Settings } from '../platform/settings/settings.ts'
import type { BackupOrder } from './answer-backup.ts'
import { noteBeside } from './deleted.ts'
import { readPassphrase } from './read-passphrase.ts'

interface BackupOptions {
  /** The key goes into the file, under a passphrase from standard input. */
  withKey?: boolean
}

export async function backUp(file: string, { withKey = false }: BackupOptions): Promise<string> {
  const settings = readSettings()
  const { secretKey } = await findSecretKeys(settings)
  if (withKey && secretKey === undefined)
    throw new StartError('There is no SECRET_KEY to keep in the backup.')
  const sealedKey =
    withKey && secretKey !== undefined
      ? await sealKey({ secretKey, passphrase: await readPassphrase() })
      : undefined
  const fingerprint = secretKey === undefined ? null : keyFingerprint(secretKey)
  const order = { keyFingerprint: fingerprint, sealedKey }
  const bytes =
    settings.databaseUrl === undefined
      ? await backUpEmbedded({ file, settings, order })
      : await backUpOpened({ file, settings, order })
  return [`Wrote a backup of ${megabytes(bytes)} to ${file}.`, describeKey({ settings, sealedKey })].join(
    '\n',
  )
}

interface Order {
  keyFingerprint: string | null
  sealedKey: Buffer | undefined
}

interface BackupPlan {
  file: string
  settings: Settings
  order: Order
}

async function backUpEmbedded({ file, settings, order }: BackupPlan): Promise<number> {
  const { dataDir } = settings
  const directory = path.join(dataDir, DATABASE_DIRECTORY)
  if (!existsSync(directory)) throw new StartError(`There is no database in ${dataDir}.`)
  checkTarget({ file, bytes: await sizeOfEmbedded(directory) })
  try {
    return await backUpOpened({ file, settings, order })
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error
  }
  const { keyFingerprint, sealedKey } = order
  const options: BackupOrder =
    sealedKey === undefined
      ? {}
      : { key: { fingerprint: keyFingerprint, sealed: sealedKey.toString('base64') } }
  const content = await askControl({ dataDir, command: 'backup', options })
  const bytes = await writeBackupFile({ file, bytes: content }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error
    throw new StartError(
      `Catenary stopped or failed before ${file} was complete: its log says why. Nothing was kept.`,
    )
  })
  await noteBeside(file, { settings })
  return bytes
}

const backUpOpened = ({ file, settings, order }: BackupPlan): Promise<number> =>
  withDatabase(async (database) => {
    await requireOwnTables(database)
    checkTarget({ file, bytes: await estimateBytes(database) })
    const written = await withBackup({ database, reason: 'by hand', ...order }, (bytes) =>
      writeBackupFile({ file, bytes }),
    )
    await noteBeside(file, { settings, database })
    return written
  })

function describeKey({ settings, sealedKey }: { settings: Settings; sealedKey: Buffer | undefined }): string {
  if (sealedKey !== undefined) return 'It contains SECRET_KEY, encrypted with the passphrase.'
  const key = settings.secretKey === undefined ? path.join(settings.dataDir, 'secret.key') : 'SECRET_KEY'
  return `It can only be restored with its key, which it doesn’t contain. Keep ${key} as well, in a different place.`
}

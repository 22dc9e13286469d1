import { megabytes } from '../keeping/backup/backup-file.ts'
import type { BackupAbout } from '../keeping/backup/backup-format.ts'
import { explainUnknownTables } from '../keeping/backup/known-tables.ts'
import { verifyBackup } from '../keeping/backup/read-backup.ts'
import { keyFingerprint } from '../platform/secrets/secret-box.ts'
import { findSecretKeys } from '../platform/secrets/secret-key.ts'
import { readSettings } from '../platform/settings/settings.ts'

export async function verify(file: string): Promise<string> {
  const { about, bytes, manifest, sealedKey } = await verifyBackup(file)
  const tables = Object.keys(manifest.tables).length
  const key = await describeKey({ about, hasKey: sealedKey !== undefined })
  const unknown = explainUnknownTables({ file: 'It', about, what: 'Restore it' })
  return [
    `${file} is intact: ${megabytes(bytes)}, ${describe(manifest.rows, 'row')} in ${describe(tables, 'table')}.`,
    `${about.kind === 'files' ? 'The embedded database' : 'A PostgreSQL'}, copied ${about.takenAt} (${about.reason}) by Catenary ${about.program}.`,
    ...(unknown === undefined ? [] : [unknown]),
    ...(key === undefined ? [] : [key]),
  ].join('\n')
}

const describe = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

async function describeKey({ about, hasKey }: { about: BackupAbout; hasKey: boolean }) {
  if (about.keyFingerprint === null) return undefined
  if (hasKey) return 'It contains its key, encrypted with a passphrase.'
  const { secretKey: known } = await findSecretKeys(readSettings())
  if (known === undefined) return 'It needs the SECRET_KEY that it was made with; none is set here.'
  if (keyFingerprint(known) === about.keyFingerprint) return 'The key that it needs is the one set here.'
  return 'It was made with a different SECRET_KEY from the one set here.'
}

import type pg from 'pg'
import { describeVersion, readVersion } from '../../version.ts'
import type { BackupAbout } from './backup-format.ts'

/** What the one who asks for a backup knows. */
export type BackupRequest = Pick<BackupAbout, 'keyFingerprint' | 'reason' | 'schema'>

/** What a backup of this database says of itself. */
export async function describeBackup({
  client,
  kind,
  ...request
}: BackupRequest & {
  client: { query: (text: string) => Promise<pg.QueryResult> }
  kind: BackupAbout['kind']
}): Promise<BackupAbout> {
  const { rows } = await client.query('show server_version')
  return {
    format: 1,
    kind,
    program: describeVersion(readVersion()),
    takenAt: new Date().toISOString(),
    postgres: rows[0].server_version,
    ...request,
  }
}

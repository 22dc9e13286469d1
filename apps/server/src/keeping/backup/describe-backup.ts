import type { Queryable } from '../../database/statements/queryable.ts'
import { describeVersion, readVersion } from '../../version.ts'
import type { BackupAbout } from './backup-format.ts'

export type BackupRequest = Pick<BackupAbout, 'keyFingerprint' | 'reason'>

export async function describeBackup({
  client,
  kind,
  schema,
  keyFingerprint,
  reason,
}: BackupRequest & Pick<BackupAbout, 'kind' | 'schema'> & { client: Queryable }): Promise<BackupAbout> {
  const { rows } = await client.query('show server_version')
  return {
    format: 1,
    kind,
    program: describeVersion(readVersion()),
    schema,
    takenAt: new Date().toISOString(),
    reason,
    keyFingerprint,
    postgres: rows[0].server_version,
  }
}

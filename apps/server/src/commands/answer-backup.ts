import * as z from 'zod'
import type { DatabaseClient } from '../database/open/client.ts'
import { StartError } from '../errors.ts'
import { withBackup } from '../keeping/backup/with-backup.ts'
import type { ControlTask } from '../platform/control/serve-control.ts'
import { keyFingerprint } from '../platform/secrets/secret-box.ts'

const backupOrder = z.object({
  key: z
    .object({
      fingerprint: z.string().nullable().describe('Fingerprint of the key that the command has.'),
      sealed: z.base64().describe('That key, encrypted with a passphrase, to keep in the backup.'),
    })
    .optional()
    .describe('Absent: the backup does not contain the key.'),
})
export type BackupOrder = z.infer<typeof backupOrder>

export function answerBackup({
  database,
  secretKey,
}: {
  database: DatabaseClient
  secretKey: string
}): ControlTask {
  const fingerprint = keyFingerprint(secretKey)
  return async (request, send) => {
    const { key } = backupOrder.parse(request)
    if (key !== undefined && key.fingerprint !== fingerprint) {
      throw new StartError(
        'The running program has a different SECRET_KEY from this command. Give the command the same settings.',
      )
    }
    const sealedKey = key && Buffer.from(key.sealed, 'base64')
    const wanted = { database, reason: 'by hand', keyFingerprint: fingerprint, sealedKey } as const
    await withBackup(wanted, send)
  }
}

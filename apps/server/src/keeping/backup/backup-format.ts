import * as z from 'zod'
import { BASELINE } from '../../database/open/schema-number.ts'
import { StartError } from '../../errors.ts'

/** What a file begins with; the number is that of its format. */
export const MAGIC = 'CATENARY BACKUP 1\n'
/** What it ends with: SHA-256 of everything before. */
export const DIGEST_BYTES = 32

export const ABOUT = 'about.json'
export const SEALED_KEY = 'secret.key.age'
export const MANIFEST = 'manifest.json'
export const FILES_PREFIX = 'database/'
export const SEQUENCES_PART = 'sequences.json'

export class BackupFileError extends StartError {
  override name = 'BackupFileError'
}

const count = z.number().int().nonnegative()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const backupAbout = z.object({
  format: z.literal(1),
  kind: z.enum(['files', 'rows']).describe('The embedded database’s own files, or rows table by table.'),
  program: z.string().describe('The version that wrote it.'),
  schema: z
    .object({
      applied: count.describe('How many migrations the database had.'),
      last: count.describe('When the last of them was made, in milliseconds since 1970.'),
    })
    // Written when the baseline was 49 steps.
    .transform(({ applied, last }) => ({ applied: last === BASELINE ? 1 : applied, last })),
  takenAt: z.iso.datetime(),
  reason: z.enum(['by hand', 'daily', 'before migration']),
  keyFingerprint: sha256
    .nullable()
    .describe('Fingerprint of the key that encrypts stored values; null: none yet.'),
  postgres: z.string().describe('The version of the database server.'),
})
export type BackupAbout = z.infer<typeof backupAbout>

export const backupManifest = z.object({
  parts: z.record(z.string(), z.object({ bytes: count, sha256 })),
  tables: z.record(z.string(), z.object({ rows: count, sha256: sha256.exactOptional() })),
  rows: count.describe('Total rows of all tables.'),
})
export type BackupManifest = z.infer<typeof backupManifest>

/** As we write them: no name that leads out of its folder, none that is hidden. */
const DATABASE_FILE = /^database\/(?:\w[\w.-]*\/)*(?:\w[\w.-]*)?$/
const ROWS = /^rows\/(\w+)\/\d+\.jsonl$/
const NAME_LENGTH_MAX = 200

export function isDataName(name: string, kind: BackupAbout['kind']): boolean {
  if (name.length > NAME_LENGTH_MAX) return false
  if (kind === 'files') return DATABASE_FILE.test(name)
  return tableOfPart(name) !== undefined || name === SEQUENCES_PART
}

export const tableOfPart = (name: string): string | undefined => ROWS.exec(name)?.[1]

import { keyFingerprint } from '../../platform/secrets/secret-box.ts'
import type { BackupAbout } from '../backup/backup-format.ts'

export function findFingerprintProblem({
  about: { keyFingerprint: wanted },
  keys,
}: {
  about: BackupAbout
  keys: (string | undefined)[]
}): string | undefined {
  const known = keys.flatMap((key) => (key === undefined ? [] : keyFingerprint(key)))
  if (wanted === null || known.includes(wanted)) return undefined
  return 'It was made with another SECRET_KEY than the one in use: what that key sealed would not open'
}

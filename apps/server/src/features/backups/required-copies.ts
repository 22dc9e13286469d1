import path from 'node:path'
import { AppError } from '../../errors.ts'
import { listCopies } from './backup-folder.ts'
import { type BackupRow, findOptionalBackup, readQuietRow } from './backups.repository.ts'
import type { BackupsDeps } from './backups-deps.ts'

/** Throws `conflict` where copies are kept nowhere. */
export function requireDirectory({ settings }: Pick<BackupsDeps, 'settings'>): string {
  const { directory } = settings.backups
  if (directory !== undefined) return directory
  throw new AppError('conflict', 'BACKUP_DIR is not set, so there is no place for copies')
}

/** Throws `not_found`. */
export async function requireRow({ db }: Pick<BackupsDeps, 'db'>, id: number): Promise<BackupRow> {
  const row = await findOptionalBackup(db, id)
  if (row === undefined) throw new AppError('not_found', 'This copy does not exist')
  return row
}

interface CopyFile {
  name: string
  bytes: number
  /** Its path. */
  file: string
}

/** Throws `not_found`, also where its file is not there. */
export async function requireFile(deps: BackupsDeps, id: number): Promise<CopyFile> {
  const { name } = await requireRow(deps, id)
  const directory = requireDirectory(deps)
  const bytes = name === null ? undefined : (await listCopies(directory)).get(name)
  if (name === null || bytes === undefined) throw new AppError('not_found', 'The file of this copy is gone')
  return { name, bytes, file: path.join(directory, name) }
}

/** Nothing does the jobs of a quiet copy. Throws `conflict`. */
export async function requireWork({ db, isQuiet }: Pick<BackupsDeps, 'db' | 'isQuiet'>): Promise<void> {
  if ((await readQuietRow(db)) !== undefined) {
    throw new AppError('conflict', 'This is a restored copy that is quiet. Resume its work first.')
  }
  if (isQuiet)
    throw new AppError('conflict', 'Work is resumed with the next start. Start Catenary again first.')
}

import type pg from 'pg'
import type { MigrationObserver } from '../../database/open/migrate.ts'
import type { DeletedAgain } from '../deletions/delete-again.ts'
import type { DeletedRecord } from '../deletions/deleted-records.ts'
import type { BackupManifest } from './backup-format.ts'
import type { PendingWork } from './quiet-copy.ts'
import type { OpenedBackup } from './read-backup.ts'

export interface RestoreOptions {
  backup: OpenedBackup
  dataDir: string
  fsync: boolean
  resumeWork: boolean
  deleted?: readonly DeletedRecord[] | undefined
  onStage?: RestoreObserver | undefined
  onMigration?: MigrationObserver | undefined
  migrationsFolder?: string | undefined
  inspect?: ((client: Pick<pg.ClientBase, 'query'>) => Promise<void>) | undefined
}

type RestoreObserver = (
  stage: 'opened' | 'counted' | 'migrated',
  about: { found: string; rows?: number },
) => void

export interface Restored {
  rows: number
  pending: PendingWork
  again: DeletedAgain
}

export function describeChecksums(parts: BackupManifest['parts']): string {
  const count = Object.keys(parts).length.toLocaleString('en')
  return `${count} of ${count} checksums match`
}

export function describeMigrations({ from, to }: { from: number; to: number }): string {
  return `schema ${to}, ${from === to ? 'nothing to do' : `${to - from} more migrations`}`
}

import type pg from 'pg'
import type { MigrationObserver } from '../../database/open/migrate.ts'
import type { DeletedAgain } from '../deletions/delete-again.ts'
import type { DeletedRecord } from '../deletions/deleted-records.ts'
import type { BackupManifest } from './backup-format.ts'
import type { PendingWork } from './quiet-copy.ts'
import type { OpenedBackup } from './read-backup.ts'

export interface RestoreOptions {
  /** All of it is read. */
  backup: OpenedBackup
  /** Gets the embedded database. */
  dataDir: string
  fsync: boolean
  /** What was pending goes on with the next start. */
  resumeWork: boolean
  /** What was deleted since the copy was made: it is deleted again. */
  deleted?: readonly DeletedRecord[] | undefined
  /** Called as each is passed. */
  onStage?: RestoreObserver | undefined
  onMigration?: MigrationObserver | undefined
  /** Absent: this program's. */
  migrationsFolder?: string | undefined
  /** Looks at the copy once it has this program's schema, before its sessions end. */
  inspect?: ((client: Pick<pg.ClientBase, 'query'>) => Promise<void>) | undefined
}

/** What was passed, and what it found; `rows`: of all tables. */
type RestoreObserver = (
  stage: 'opened' | 'counted' | 'migrated',
  about: { found: string; rows?: number },
) => void

export interface Restored {
  /** Rows of all tables, as the copy has them. */
  rows: number
  pending: PendingWork
  again: DeletedAgain
}

export function describeChecksums(parts: BackupManifest['parts']): string {
  const count = Object.keys(parts).length.toLocaleString('en')
  return `${count} of ${count} checksums match`
}

/** From and to so many. */
export function describeMigrations({ from, to }: { from: number; to: number }): string {
  return `schema ${to}, ${from === to ? 'nothing left to do' : `${to - from} migrations more`}`
}

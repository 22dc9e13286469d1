import pg from 'pg'
import { openDatabase } from '../../database/open/client.ts'
import { readSchemaNumber } from '../../database/open/schema-number.ts'
import { BackupFileError } from './backup-format.ts'
import { finishCopy } from './finish-copy.ts'
import { loadRows } from './load-rows.ts'
import { restoreAside } from './restore-aside.ts'
import { restoreFiles } from './restore-files.ts'
import {
  describeChecksums,
  describeMigrations,
  type Restored,
  type RestoreOptions,
} from './restore-stages.ts'

interface RestoreTarget extends RestoreOptions {
  /** A PostgreSQL without any table, for a copy of kind `rows`; absent: the embedded database of `dataDir`. */
  databaseUrl?: string | undefined
  databaseDirectUrl?: string | undefined
}

/**
 * Puts a copy where no database is, brings it to this program's schema and makes it quiet. Whatever fails, or cuts it
 * short, leaves the place as empty as it was. Throws StartError for a place that is not empty or in use,
 * BackupFileError where the copy is not what it says, or doesn't go there.
 */
export function restoreBackup({ databaseUrl, ...options }: RestoreTarget): Promise<Restored> {
  const { backup, dataDir } = options
  if (backup.about.kind === 'rows') {
    if (databaseUrl !== undefined) return restoreRows({ databaseUrl, ...options })
    return restoreAside(dataDir, (aside) => restoreRows({ ...options, dataDir: aside }))
  }
  requireEmbedded({ file: backup.file, databaseUrl })
  return restoreFiles(options)
}

export function requireEmbedded({
  file,
  databaseUrl,
}: {
  file: string
  databaseUrl: string | undefined
}): void {
  if (databaseUrl === undefined) return
  throw new BackupFileError(
    `${file} contains the files of an embedded database, which go into a DATA_DIR: restore it without DATABASE_URL, ` +
      'then "catenary move --to" that PostgreSQL.',
  )
}

async function restoreRows({
  backup,
  resumeWork,
  onStage = () => {},
  onMigration,
  migrationsFolder,
  inspect,
  deleted = [],
  ...place
}: RestoreTarget): Promise<Restored> {
  const { file, about, parts, manifest } = backup
  let finished: Pick<Restored, 'pending' | 'again'> | undefined
  const database = await openDatabase(place)
  try {
    await loadRows({
      database,
      schema: about.schema,
      parts,
      tables: () => manifest().tables,
      onStage: (stage) => {
        if (stage === 'loaded') return onStage('opened', { found: describeChecksums(manifest().parts) })
        const { rows, tables } = manifest()
        const found = `${rows.toLocaleString('en')} rows and the hashes of ${Object.keys(tables).length} tables match its manifest`
        onStage('counted', { rows, found })
      },
      onMigration,
      migrationsFolder,
      beforeCommit: async (client) => {
        await inspect?.(client)
        finished = await finishCopy({ client, resumeWork, deleted, takenAt: about.takenAt })
      },
    })
    const { applied } = await readSchemaNumber(database.pool)
    onStage('migrated', { found: describeMigrations({ from: about.schema.applied, to: applied }) })
    if (finished === undefined) throw new Error('rows are loaded in a transaction that is finished')
    return { rows: manifest().rows, ...finished }
  } catch (error) {
    throw refusedRows(file, error) ?? error
  } finally {
    await database.close()
  }
}

const OF_ROWS = /^2[23]/

/** Hashes fit, so the rows were wrong where they were copied. */
function refusedRows(file: string, error: unknown): BackupFileError | undefined {
  if (!(error instanceof pg.DatabaseError) || !OF_ROWS.test(error.code ?? '')) return undefined
  return new BackupFileError(
    `${file} has rows that can’t be restored: ${error.message}. Nothing was kept. Use another copy.`,
  )
}

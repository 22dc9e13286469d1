import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDatabase } from '../../database/open/client.ts'
import { migrate } from '../../database/open/migrate.ts'
import { readSchemaNumber } from '../../database/open/schema-number.ts'
import { BackupFileError } from './backup-format.ts'
import type { ReadPart, TableContent } from './backup-parts.ts'
import { countRows } from './embedded-copy.ts'
import { finishCopy } from './finish-copy.ts'
import type { OpenedBackup } from './read-backup.ts'
import { restoreAside } from './restore-aside.ts'
import {
  describeChecksums,
  describeMigrations,
  type Restored,
  type RestoreOptions,
} from './restore-stages.ts'

/**
 * Unpacks a copy of kind `files` aside, opens and counts it, migrates it and makes it quiet. Throws as `restoreAside`
 * does, and BackupFileError where the copy is not what it says.
 */
export function restoreFiles({ dataDir, ...options }: RestoreOptions): Promise<Restored> {
  return restoreAside(dataDir, async (aside) => {
    await unpack({ backup: options.backup, aside })
    return prepare({ dataDir: aside, ...options })
  })
}

async function unpack({ backup, aside }: { backup: OpenedBackup; aside: string }): Promise<void> {
  await mkdir(aside, { mode: 0o700 })
  for await (const { name, content } of backup.parts) {
    const place = path.join(aside, name)
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    if (name.endsWith('/'))
      await pipeline(content, drain).then(() => mkdir(place, { recursive: true, mode: 0o700 }))
    else await writePart({ place, content })
  }
}

async function writePart({ place, content }: { place: string; content: ReadPart['content'] }): Promise<void> {
  const handle = await open(place, 'wx', 0o600)
  try {
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
}

async function drain(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _nothing of content);
}

async function prepare({
  backup,
  resumeWork,
  onStage = () => {},
  onMigration,
  migrationsFolder,
  inspect,
  deleted = [],
  ...place
}: RestoreOptions): Promise<Restored> {
  const { parts, rows, tables } = backup.manifest()
  const database = await openDatabase(place)
  try {
    onStage('opened', { found: describeChecksums(parts) })
    requireSameCounts(tables, await database.withoutLimit(countRows))
    onStage('counted', { rows, found: `${rows.toLocaleString('en')} rows match its manifest` })
    const before = await readSchemaNumber(database.pool)
    await migrate({ database, migrationsFolder, onMigration })
    if (inspect !== undefined) await database.withoutLimit(inspect)
    const { applied } = await readSchemaNumber(database.pool)
    onStage('migrated', { found: describeMigrations({ from: before.applied, to: applied }) })
    const { takenAt } = backup.about
    const finished = await database.withoutLimit((client) =>
      finishAtOnce({ client, resumeWork, deleted, takenAt }),
    )
    return { rows, ...finished }
  } finally {
    await database.close()
  }
}

async function finishAtOnce(options: Parameters<typeof finishCopy>[0]): ReturnType<typeof finishCopy> {
  await options.client.query('begin')
  const finished = await finishCopy(options)
  await options.client.query('commit')
  return finished
}

function requireSameCounts(
  expected: Record<string, TableContent>,
  found: Record<string, TableContent>,
): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [wanted, had] = [expected[name]?.rows, found[name]?.rows]
    if (wanted !== had)
      throw new BackupFileError(
        `The copy can’t be restored completely: its table ${name} has ${had ?? 'no'} rows instead of ${wanted ?? 'none'}. Use another copy.`,
      )
  }
}

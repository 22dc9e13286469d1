import { existsSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseClient } from '../database/open/client.ts'
import type { DeletedAgain } from '../keeping/deletions/delete-again.ts'
import {
  DELETED_FILE,
  type DeletedRecord,
  keepDeleted,
  mergeDeleted,
  readDeleted,
} from '../keeping/deletions/deleted-records.ts'
import { listNoted } from '../keeping/deletions/list-noted.ts'
import type { Settings } from '../platform/settings/settings.ts'

type Places = Pick<Settings, 'backups' | 'dataDir'>

const FOREVER = new Date(0)

export async function gatherDeleted({ backups, dataDir }: Places, file?: string): Promise<DeletedRecord[]> {
  const beside = file === undefined ? undefined : path.dirname(file)
  const places = [dataDir, backups.directory, beside].filter((place) => place !== undefined)
  return mergeDeleted(...(await Promise.all(places.map(readDeleted))))
}

export async function noteDeleted(directory: string, records: readonly DeletedRecord[]): Promise<void> {
  if (records.length > 0 && existsSync(directory)) await keepDeleted(directory, { records, since: FOREVER })
}

/** Beside a copy that was made by hand, where there is no other place: what the database itself notes too. */
export async function noteBeside(
  file: string,
  { settings, database }: { settings: Places; database?: DatabaseClient | undefined },
): Promise<void> {
  const noted = database === undefined ? [] : await listNoted(database.pool)
  await noteDeleted(path.dirname(file), mergeDeleted(await gatherDeleted(settings), noted))
}

export function describeAgain({ deleted, kept }: DeletedAgain): string[] {
  if (deleted + kept === 0) return []
  const stay = kept === 0 ? '' : ` But ${kept} of them stay because something else needs them.`
  const all = deleted + kept
  const records = all === 1 ? '1 record' : `${all.toLocaleString('en')} records`
  return [`Deleted again what had been deleted since: ${records} from ${DELETED_FILE}.${stay}`]
}

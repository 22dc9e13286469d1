import path from 'node:path'
import { StartError } from '../../errors.ts'
import { listCopies } from './backup-folder.ts'
import { existsDailySince, findFirstAccountAt, listBackups, saveBackup } from './backups.repository.ts'
import { type BackupsDeps, daysAgo } from './backups-deps.ts'
import { describeCopy } from './copies.repository.ts'
import { lastDue } from './kept-copies.ts'

const LOOKED_BACK_DAYS = 3_650

/** Begins the daily copy once it is due, also where the program did not run then; not on the day it was set up. */
export async function beginDailyCopy(
  deps: Pick<BackupsDeps, 'db' | 'now' | 'send' | 'settings' | 'timeZone'>,
): Promise<void> {
  const { db, now, settings, timeZone } = deps
  const due = lastDue({ now: now(), time: settings.backups.time, timeZone })
  const begun = await findFirstAccountAt(db)
  if (begun === null || begun > due || (await existsDailySince(db, due))) return
  await deps.send(db, { what: 'copy', reason: 'daily' })
}

/**
 * Lists the files that this program did not put there by itself, such as those made before migrations. `refused`
 * keeps which are no copies, so that they are read once.
 */
export async function listForeignCopies(
  deps: Pick<BackupsDeps, 'db' | 'log' | 'now'>,
  { directory, refused }: { directory: string; refused: Set<string> },
): Promise<void> {
  const { db, log } = deps
  const rows = await listBackups(db, { since: daysAgo(deps, LOOKED_BACK_DAYS) })
  const known = new Set(rows.filter(({ state }) => state === 'kept').map(({ name }) => name))
  for (const name of listCopies(directory).keys()) {
    if (known.has(name) || refused.has(name)) continue
    try {
      const { takenAt, reason, program, schema, bytes } = await describeCopy(path.join(directory, name))
      const about = { reason, program, bytes, schema: schema.applied, takenAt: new Date(takenAt) }
      await saveBackup(db, { name, state: 'kept', ...about })
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      refused.add(name)
      log.warn({ name, reason: error.message }, 'a file among the backups can’t be used')
    }
  }
}

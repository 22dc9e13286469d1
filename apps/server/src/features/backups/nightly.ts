import path from 'node:path'
import { latestBelieved } from '../../clock-ahead.ts'
import { StartError } from '../../errors.ts'
import { listCopies } from './backup-folder.ts'
import { existsDaily, findFirstAccountAt, listBackups, saveFoundBackup } from './backups.repository.ts'
import { type BackupsDeps, daysAgo } from './backups-deps.ts'
import { describeCopy } from './copies.repository.ts'
import { lastDue } from './kept-copies.ts'

const LOOKED_BACK_DAYS = 3_650
/** A trial that nobody saw to in a day is one of the next copy. */
const MISSED_DAYS = 1

/** Begins the daily copy once it is due, also where the program did not run then; not on the day it was set up. */
export async function beginDailyCopy(
  deps: Pick<BackupsDeps, 'db' | 'now' | 'send' | 'settings' | 'timeZone'>,
): Promise<void> {
  const { db, now, settings, timeZone } = deps
  const due = lastDue({ now: now(), time: settings.backups.time, timeZone })
  const begun = await findFirstAccountAt(db)
  if (begun === null || begun > due) return
  if (await existsDaily(db, { since: due, until: latestBelieved(now()) })) return
  await deps.send(db, { what: 'copy', reason: 'daily' })
}

/**
 * Begins the trial of the newest copy where it has none and nothing goes on: its process ended between the two, or
 * another trial went on.
 */
export async function beginMissedDrill(
  deps: Pick<BackupsDeps, 'db' | 'findUnderWay' | 'now' | 'send'>,
  { directory }: { directory: string },
): Promise<void> {
  const { db, now } = deps
  const since = daysAgo(deps, MISSED_DAYS)
  const newest = (await listBackups(db, { since, until: latestBelieved(now()) })).find(
    ({ state }) => state === 'kept',
  )
  if (newest === undefined || newest.drill !== null || newest.takenAt < since) return
  if ((await deps.findUnderWay()) !== null || !(await listCopies(directory)).has(newest.name ?? '')) return
  await deps.send(db, { what: 'drill', id: newest.id })
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
  for (const name of (await listCopies(directory)).keys()) {
    if (known.has(name) || refused.has(name)) continue
    try {
      const { takenAt, reason, program, schema, bytes } = await describeCopy(path.join(directory, name))
      const about = { reason, program, bytes, schema: schema.applied, takenAt: new Date(takenAt) }
      await saveFoundBackup(db, { name, state: 'kept', ...about })
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      refused.add(name)
      log.warn({ name, reason: error.message }, 'a file among the backups can’t be used')
    }
  }
}

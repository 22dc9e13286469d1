import path from 'node:path'
import { StartError } from '../../errors.ts'
import { latestBelieved } from '../../platform/clock-ahead.ts'
import type { Context } from '../../platform/context.ts'
import { listCopies } from './backup-folder.ts'
import { backupTasks, findUnderWay, sendTask } from './backup-tasks.ts'
import { existsDaily, findFirstAccountAt, listBackups, saveFoundBackup } from './backups.sql.ts'
import { describeCopy } from './copies.sql.ts'
import { drillBackup } from './drill-copy.ts'
import { daysAgo, lastDue, zoneHere } from './kept-copies.ts'
import { takeCopy } from './take-copy.ts'

const LOOKED_BACK_DAYS = 3_650
/** A trial that was missed for a day is left to the next copy. */
const MISSED_DAYS = 1

const MINUTE_SECONDS = 60

/** Registers what is done with copies, before jobs are started: nothing where there is no place for them. */
export function workBackups(ctx: Context): void {
  const { jobs, settings } = ctx
  const { directory } = settings.backups
  if (directory === undefined) return
  const refused = new Set<string>()
  jobs.queue('backups-due').work({
    repeatSeconds: MINUTE_SECONDS,
    atStart: 'minutely',
    handle: async () => {
      await listForeignCopies(ctx, { directory, refused })
      await beginDailyCopy(ctx, { timeZone: zoneHere() })
      await beginMissedDrill(ctx, { directory })
    },
  })
  backupTasks(ctx).work({
    handle: async ({ payload: task, signal }) => {
      if (task.what === 'drill') return drillBackup(ctx, { id: task.id, directory, signal })
      const copy = await takeCopy(ctx, { reason: task.reason, directory, signal })
      if (copy !== undefined) await sendTask(ctx, { what: 'drill', id: copy.id })
    },
  })
}

/** Begins the daily copy once it is due, also if the program was not running then; not on the day it was set up. */
export async function beginDailyCopy(ctx: Context, { timeZone }: { timeZone: string }): Promise<void> {
  const { db, now, settings } = ctx
  const due = lastDue({ now: now(), time: settings.backups.time, timeZone })
  const begun = await findFirstAccountAt(db)
  if (begun === null || begun > due) return
  if (await existsDaily(db, { since: due, until: latestBelieved(now()) })) return
  await sendTask(ctx, { what: 'copy', reason: 'daily' })
}

/** Begins a trial that was left out: its process ended, or another trial was running then. */
export async function beginMissedDrill(ctx: Context, { directory }: { directory: string }): Promise<void> {
  const { db, now } = ctx
  const since = daysAgo(ctx, MISSED_DAYS)
  const newest = (await listBackups(db, { since, until: latestBelieved(now()) })).find(
    ({ state }) => state === 'kept',
  )
  if (newest === undefined || newest.drill !== null || newest.takenAt < since) return
  if ((await findUnderWay(ctx)) !== null || !(await listCopies(directory)).has(newest.name ?? '')) return
  await sendTask(ctx, { what: 'drill', id: newest.id })
}

/**
 * Lists the files that this program did not put there by itself, such as those made before migrations. `refused`
 * keeps which are no copies, so that they are read once.
 */
export async function listForeignCopies(
  ctx: Context,
  { directory, refused }: { directory: string; refused: Set<string> },
): Promise<void> {
  const { db, log } = ctx
  const rows = await listBackups(db, { since: daysAgo(ctx, LOOKED_BACK_DAYS) })
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

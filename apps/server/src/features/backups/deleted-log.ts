import { existsSync } from 'node:fs'
import type { Database } from '../../database/statements/executor.ts'
import {
  addDeleted,
  keepDeleted,
  mergeDeleted,
  readDeleted,
} from '../../keeping/deletions/deleted-records.ts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { forgetDeletions, listBackups, listDeletions } from './backups.sql.ts'
import { findPlaceProblem } from './copies-place.ts'

const DAY_MS = 86_400_000
/** Copies that someone took elsewhere may be so old. */
const KEPT_DAYS = 366
/** Of transactions that go on at once, one with an earlier id may end later. */
const MAY_COME_LATE = 1_000

/**
 * Deleted records are in earlier copies too. The files beside the key and beside the copies therefore list them,
 * and a restore deletes them again. Triggers note deletions in the database first; here the notes are written to
 * the files, before the caller has the reply.
 */
export const deletedLog = onePerApp(createDeletedLog)

function createDeletedLog(ctx: Context<Database>) {
  const { db, log, rowChanges } = ctx
  /** The latest notes that are in the files; undefined: not known, so that the files are read. */
  let written: Set<number> | undefined
  let last = Promise.resolve()
  let isWaiting = false

  const oneByOne = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch((error: unknown) => {
      log.warn({ err: error }, 'what was deleted could not be noted beside the copies; it is tried again')
    })
    return last
  }

  const addNew = async (): Promise<void> => {
    isWaiting = false
    const known = written
    if (known === undefined) return bringUp()
    const latest = await listDeletions(db, { after: Math.max(0, ...known) - MAY_COME_LATE })
    const found = latest.flatMap(({ id, record }) => (known.has(id) ? [] : record))
    if (found.length === 0) return
    written = undefined
    for (const place of await findPlaces(ctx)) await addDeleted(place, found)
    written = latestOf(latest)
  }

  const bringUp = async (): Promise<void> => {
    const since = await findOldestNeeded(ctx)
    await forgetDeletions(db, { before: since })
    const places = await findPlaces(ctx)
    const noted = await listDeletions(db, { after: 0 })
    const there = await Promise.all(places.map(readDeleted))
    const records = mergeDeleted(
      ...there,
      noted.map(({ record }) => record),
    )
    for (const place of places) await keepDeleted(place, { records, since })
    written = latestOf(noted)
  }

  rowChanges.subscribe((change) => {
    // A missed change is found with the next one, and nobody waits for a database that is away.
    if (isWaiting || change?.table !== 'deletions') return
    isWaiting = true
    void oneByOne(addNew)
  })

  return {
    settled: () => last,

    /** Brings each file to what the others and the database say, without what no copy can have any more. */
    bringUp: () => oneByOne(bringUp),
  }
}

const latestOf = (noted: { id: number }[]): Set<number> =>
  new Set(noted.slice(-MAY_COME_LATE).map(({ id }) => id))

/** Only existing folders: nothing is written below a disk that is not mounted. */
async function findPlaces(ctx: Context): Promise<string[]> {
  const { dataDir, backups } = ctx.settings
  const { directory } = backups
  const places = existsSync(dataDir) ? [dataDir] : []
  if (directory === undefined || !existsSync(directory)) return places
  return (await findPlaceProblem(ctx, directory)) === null ? [...places, directory] : places
}

async function findOldestNeeded(ctx: Context): Promise<Date> {
  const { db, now } = ctx
  const kept = (await listBackups(db, { since: now() })).filter(({ state }) => state === 'kept')
  const oldest = Math.min(...kept.map(({ takenAt }) => takenAt.getTime()))
  return new Date(Math.min(oldest, now().getTime() - KEPT_DAYS * DAY_MS))
}

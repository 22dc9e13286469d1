import { randomBytes } from 'node:crypto'
import { StartError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import {
  describeLostMarker,
  listReadableCopies,
  makeFolder,
  readMarker,
  writeMarker,
} from './backup-folder.ts'
import { listBackups, readPlace, savePlace } from './backups.sql.ts'

/**
 * Why copies may not go to that folder; null: they may. If its disk is not mounted, they would lie on the
 * database's own. The first copy marks the folder; a folder of another name starts over.
 */
export async function findPlaceProblem(ctx: Context, directory: string): Promise<string | null> {
  const place = await readPlace(ctx.db)
  if (place?.directory !== directory) return null
  const found = await readMarker(directory).catch(() => undefined)
  return found === place.marker ? null : describeLostMarker(directory, place.marker)
}

/** Creates and marks a new folder. Throws StartError for a folder that is not the marked one. */
export async function openPlace(ctx: Context, directory: string): Promise<void> {
  const problem = await findPlaceProblem(ctx, directory)
  if (problem !== null) throw new StartError(problem)
  const place = await readPlace(ctx.db)
  if (place?.directory === directory) return makeFolder(directory)
  const written = await readMarker(directory)
  const marker = written ?? randomBytes(8).toString('hex')
  if (written === undefined && place === undefined && (await haveAllGone(ctx, directory))) {
    throw new StartError(describeLostMarker(directory, marker))
  }
  await makeFolder(directory)
  if (written === undefined) await writeMarker(directory, marker)
  await savePlace(ctx.db, { directory, marker })
}

/** Whether none is there of the copies that were made before folders were marked. */
async function haveAllGone({ db, now }: Context, directory: string): Promise<boolean> {
  const there = await listReadableCopies(directory)
  const rows = await listBackups(db, { since: now() })
  const kept = rows.filter(({ state, name }) => state === 'kept' && name !== null)
  return kept.length > 0 && !kept.some(({ name }) => there.has(name ?? ''))
}
